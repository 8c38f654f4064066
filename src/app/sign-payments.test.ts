// Payments that share signed bytes, wallets whose payments have an order, bytes that are stuck: on a network that does as
// it is told, with the real store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../test/e2e/settled.ts';
import { openRig } from '../../test/support/settlement.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Envelope, Network, Payment, Prepared, SendStatus, Signed, Turn } from '../ports/network.ts';

const rig = await openRig();
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const FINAL = { kind: 'final', evidence: {}, unpaid: [], cost: null } as const;

interface Script {
  readonly sign?: (payments: readonly Payment[], turn: Turn) => Signed;
  readonly statusOf?: (envelope: Envelope) => SendStatus;
  readonly more?: Partial<Network>;
}

let signed = 0;
const bytes = (
  payments: readonly Payment[],
  sequence: string | null = null,
): Signed['envelopes'][number] => ({
  hash: `0xhash${++signed}`,
  source: WALLET,
  sequence,
  payload: `bytes ${signed}`,
  bound: null,
  signedAtMs: rig.now(),
  orderIds: payments.map(({ orderId }) => orderId),
});
/** All in one, but for those that must go by themselves. */
const allInOne = (payments: readonly Payment[]): Signed => {
  const groups = [
    payments.filter(({ alone }) => !alone),
    ...payments.filter(({ alone }) => alone).map((p) => [p]),
  ];
  return { envelopes: groups.filter((group) => group.length > 0).map((group) => bytes(group)), waiting: [] };
};
const landed = ({ versions }: Envelope): SendStatus => ({ ...FINAL, hash: versions.at(-1)!.hash });

/** A process whose Polygon follows a script, and what was asked of it. */
function scripted({ sign = allInOne, statusOf = landed, more = {} }: Script = {}) {
  const told: Prepared[] = [];
  const asked: Envelope[] = [];
  const payments: (readonly Payment[])[] = [];
  const process = rig.another({
    network: (real) =>
      real.name !== 'Polygon'
        ? {}
        : {
            prepare: async (given, turn) => {
              payments.push(given);
              return sign(given, turn);
            },
            broadcast: async (prepared) => {
              told.push(prepared);
              return { kind: 'accepted' };
            },
            ask: async (envelope) => {
              asked.push(envelope);
              return statusOf(envelope);
            },
            ...more,
          },
  });
  return { process, told, asked, payments };
}

/** Whoever read the bank and the networks before no longer does. */
const feedsAreFree = () => rig.pass(16_000);

let people = 0;
async function paidBuys(count: number, changes: Partial<Transaction> = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let each = 0; each < count; each++) {
    const accountNumber = `${6_000_000_000 + ++people * 7_919}`;
    const amountMinor = 2_500_000n + BigInt(people);
    ids.push((await rig.buy({ accountNumber, amountMinor, ...changes })).id);
    await rig.payIn({ payerAccount: accountNumber, amountMinor });
  }
  feedsAreFree();
  return ids;
}

async function untilAll(
  process: { run(): Promise<void> },
  ids: readonly string[],
  state: string,
): Promise<void> {
  for (let step = 0; step < 200; step++) {
    await process.run();
    const found = await Promise.all(ids.map((id) => rig.find(id)));
    if (found.every((each) => each.state === state)) return;
    rig.pass(200);
  }
  const found = await Promise.all(ids.map((id) => rig.find(id)));
  assert.fail(`not ${state}: ${found.map((each) => `${each.state} ${each.stateReason}`).join(', ')}`);
}

const attemptsOf = (id: string) =>
  rig.rows<{ no: number; state: string; reference: string; place: number; payload: string | null }>(
    `select a.no, a.state, a.reference, a.place, a.payload from movement_attempts a join movements m on m.id = a.movement_id
     where m.transaction_id = $1 order by a.no`,
    id,
  );

test('payments that are due together share bytes: stored once, told once, asked about once, each buy completed', async () => {
  const ids = await paidBuys(5);
  const fee = { asset: 'POL', feeMinor: 1_003n, opened: [{ place: 2, amountMinor: 77n }] };
  const { process, told, asked } = scripted({
    statusOf: (envelope) => ({ ...FINAL, hash: envelope.versions[0]!.hash, cost: fee }),
  });
  await untilAll(process, ids, 'completed');
  assert.equal(told.length, 1);
  assert.equal(asked.length, 1);
  assert.equal(asked[0]!.orderIds.length, 5);
  const attempts = (await Promise.all(ids.map(attemptsOf))).flat();
  assert.deepEqual(attempts.map(({ place }) => place).sort(), [0, 1, 2, 3, 4]);
  assert.equal(new Set(attempts.map(({ reference }) => reference)).size, 1);
  assert.equal(attempts.filter(({ payload }) => payload !== null).length, 1, 'the bytes are stored once');
  const costs = await Promise.all(
    ids.map(async (id) => (await rig.books(id))['POL@Polygon network_costs'] ?? 0n),
  );
  assert.equal(
    costs.reduce((sum, each) => sum + each, 0n),
    1_003n + 77n,
    'what the network took is posted whole, shared by all',
  );
});

test('bytes shared by several orders are found whole by whoever takes one of them over', async () => {
  const ids = await paidBuys(3);
  const dying = scripted({ more: { broadcast: async () => assert.fail('died') } });
  await assert.rejects(dying.process.run());
  rig.pass(16_000);
  const next = scripted({ sign: () => assert.fail('nothing is signed anew') });
  await untilAll(next.process, ids, 'completed');
  assert.deepEqual(
    next.told.map(({ payload }) => payload),
    next.told.map(({ hash }) => hash.replace('0xhash', 'bytes ')),
  );
  assert.equal(next.asked[0]!.orderIds.length, 3);
});

test('an order that was not paid is signed again by itself; the others are done, and it is paid once', async () => {
  const ids = await paidBuys(4);
  const { process, payments } = scripted({
    statusOf: (envelope) => ({
      ...FINAL,
      hash: envelope.versions[0]!.hash,
      unpaid: envelope.orderIds.length > 1 ? [{ place: 1, reason: 'blacklisted' }] : [],
    }),
  });
  await untilAll(process, ids, 'completed');
  const tries = await Promise.all(ids.map(attemptsOf));
  assert.deepEqual(tries.map((each) => each.length).sort(), [1, 1, 1, 2]);
  const [first, second] = tries.find((each) => each.length === 2)!;
  assert.deepEqual([first!.state, first!.place, second!.state, second!.place], ['failed', 1, 'landed', 0]);
  assert.deepEqual(
    payments.at(-1)!.map(({ alone }) => alone),
    [true],
  );
});

test('bytes that failed whole are tried order by order', async () => {
  const ids = await paidBuys(3);
  const { process, told } = scripted({
    statusOf: (envelope) =>
      envelope.orderIds.length > 1 ? { kind: 'failed', reason: 'one was bad', cost: null } : landed(envelope),
  });
  await untilAll(process, ids, 'completed');
  assert.equal(told.length, 4);
  for (const id of ids)
    assert.deepEqual(
      (await attemptsOf(id)).map(({ state }) => state),
      ['failed', 'landed'],
    );
});

test('one that the database refuses does not keep those it was signed with from being stored', async () => {
  const ids = await paidBuys(3);
  const taken = ids[1]!;
  const { process, payments } = scripted({
    sign: (given) => {
      const signed = allInOne(given);
      // A place that is taken: only this one's own bytes may be refused for it.
      const bad = (each: Signed['envelopes'][number]) =>
        given.some(({ about, orderId }) => about === taken && each.orderIds.includes(orderId));
      const envelopes = signed.envelopes.map((each) => (bad(each) ? { ...each, sequence: '77' } : each));
      return { ...signed, envelopes };
    },
  });
  const [other] = await paidBuys(1);
  await rig.rows(
    `insert into movement_attempts (movement_id, no, mode, network, reference, source, sequence, state, at, updated_at)
     values ('mov_other', 1, 'test', 'Polygon', '0xother', $1, '77', 'prepared', now(), now())`,
    WALLET,
  );
  await untilAll(process, [ids[0]!, ids[2]!, other!], 'completed');
  assert.equal((await rig.find(taken)).state, 'paid');
  assert.ok(payments.length > 1);
  await rig.rows(`update movement_attempts set state = 'dead' where movement_id = 'mov_other'`);
  rig.pass(60_000);
  await untilAll(process, [taken], 'completed');
});

test('threat 43: a wallet whose payments have an order is one process’s at a time, and no place is given twice', async () => {
  const ids = await paidBuys(6);
  const turns: Turn[] = [];
  const ordered: Script = {
    sign: (given, turn) => {
      turns.push(turn);
      const last = BigInt(turn.lastSequence ?? 0n);
      const next = last < 100n ? 100n : last + 1n;
      return { envelopes: given.map((each, index) => bytes([each], `${next + BigInt(index)}`)), waiting: [] };
    },
    more: { orderedBy: WALLET },
  };
  const [one, two] = [scripted(ordered), scripted(ordered)];
  for (let step = 0; step < 60; step++) {
    await Promise.all([one.process.run(), two.process.run()]);
    rig.pass(250);
  }
  for (const id of ids) assert.equal((await rig.find(id)).state, 'completed');
  const places = await rig.rows<{ sequence: string }>(
    `select sequence from movement_attempts where source = $1 and sequence::numeric between 100 and 200`,
    WALLET,
  );
  assert.deepEqual(places.map(({ sequence }) => Number(sequence)).sort(), [100, 101, 102, 103, 104, 105]);
  assert.ok(turns.length > 0 && turns.every(({ live }) => live <= ids.length));
});

test('threat 44: an order that is not stored leaves no gap: what was signed behind it takes its place', async () => {
  const ids = await paidBuys(4);
  const spoilt = ids[1]!;
  let spoil = true;
  const { process, told } = scripted({
    sign: (given, turn) => {
      const last = BigInt(turn.lastSequence ?? 0n);
      const next = last < 300n ? 300n : last + 1n;
      return { envelopes: given.map((each, index) => bytes([each], `${next + BigInt(index)}`)), waiting: [] };
    },
    more: {
      orderedBy: WALLET,
      recipientReady: async ({ about }) => {
        // Somebody else moves it on between the look and the commit.
        if (spoil && about === spoilt)
          await rig.rows('update transactions set version = version + 1 where id = $1', spoilt);
        return 'ready';
      },
    },
  });
  await process.run();
  spoil = false;
  const places = async () =>
    (
      await rig.rows<{ sequence: string }>(
        `select sequence from movement_attempts where source = $1 and sequence::numeric >= 300 order by sequence::numeric`,
        WALLET,
      )
    ).map(({ sequence }) => Number(sequence));
  assert.deepEqual(await places(), [300, 301, 302]);
  assert.deepEqual(told.map(({ sequence }) => Number(sequence)).sort(), [300, 301, 302]);
  rig.pass(16_000);
  await untilAll(process, ids, 'completed');
  assert.deepEqual(await places(), [300, 301, 302, 303]);
});

test('threat 44: at the highest fee allowed the same bytes are offered again, should a pool have dropped them', async () => {
  const [id] = await paidBuys(1);
  let stuck = true;
  const { process, told } = scripted({
    statusOf: (envelope) => (stuck ? { kind: 'stuck' } : landed(envelope)),
    more: { replace: async () => undefined },
  });
  await untilAll(process, [id!], 'confirming');
  for (let step = 0; step < 5; step++) {
    rig.pass(60_000);
    await process.run();
  }
  assert.ok(told.length > 3);
  assert.equal(new Set(told.map(({ hash }) => hash)).size, 1);
  stuck = false;
  rig.pass(300_000);
  await untilAll(process, [id!], 'completed');
});

test('threat 44: stuck bytes are signed again at their place, stored before they are told, and the one that lands is shown', async () => {
  const ids = await paidBuys(2);
  let storedFirst = true;
  const { process, told, asked } = scripted({
    statusOf: (envelope) => (envelope.versions.length === 1 ? { kind: 'stuck' } : landed(envelope)),
    more: {
      replace: async (envelope) => ({
        ...envelope.versions[0]!,
        hash: `0xdearer${++signed}`,
        payload: 'dearer',
      }),
      broadcast: async (prepared) => {
        if (prepared.payload === 'dearer') {
          const rows = await rig.rows('select no from attempt_replacements where hash = $1', prepared.hash);
          storedFirst &&= rows.length === 1;
        }
        told.push(prepared);
        return { kind: 'accepted' };
      },
    },
  });
  await untilAll(process, ids, 'completed');
  assert.ok(storedFirst);
  assert.deepEqual(asked.at(-1)!.versions.length, 2);
  const dearer = told.filter(({ payload }) => payload === 'dearer');
  assert.equal(dearer.length, 1, 'once for all orders in it');
  for (const id of ids) assert.equal((await rig.find(id)).txHash, dearer[0]!.hash);
});

test('a send that somebody cancelled is not tried again: people look', async () => {
  const [id] = await paidBuys(1);
  const { process } = scripted({ statusOf: () => ({ kind: 'failed', reason: 'cancelled', cost: null }) });
  await untilAll(process, [id!], 'on_hold');
  assert.equal((await rig.find(id!)).exception, 'send_failed');
  assert.equal((await attemptsOf(id!)).length, 1);
});

test('what cannot happen honestly is held and told, and nothing is sent again', async () => {
  const [id] = await paidBuys(1);
  const { process, told } = scripted({ statusOf: () => ({ kind: 'held', reason: 'its place is taken' }) });
  for (let step = 0; step < 30; step++) {
    await process.run();
    rig.pass(1_000);
  }
  assert.equal((await rig.find(id!)).state, 'confirming');
  assert.equal(told.length, 1);
  assert.ok(process.troubles.some(({ message }) => message === 'a send is held'));
  await untilAll(scripted().process, [id!], 'completed');
});

test('threat 47: what cannot go out now waits and is told of, and goes out when it can', async () => {
  for (const obstacle of [
    'treasury_low',
    'native_low',
    'signing_refused',
    'network_unreachable',
    'turn_taken',
  ] as const) {
    const [id] = await paidBuys(1);
    let open = false;
    const { process } = scripted({
      sign: (given) =>
        open
          ? allInOne(given)
          : { envelopes: [], waiting: given.map(({ orderId }) => ({ orderId, obstacle, detail: 'why' })) },
    });
    await process.run();
    assert.equal((await rig.find(id!)).state, 'paid', obstacle);
    assert.equal(
      process.troubles.some(({ detail }) => detail.detail === 'why'),
      obstacle !== 'turn_taken',
      obstacle,
    );
    open = true;
    await untilAll(process, [id!], 'completed');
  }
});

test('one payment that cannot be signed at all does not hold up those it came with', async () => {
  const ids = await paidBuys(3);
  const poison = ids[0]!;
  let cured = false;
  const { process } = scripted({
    sign: (given) => {
      if (!cured && given.some(({ about }) => about === poison)) throw new Error('poison');
      return allInOne(given);
    },
  });
  await untilAll(process, ids.slice(1), 'completed');
  assert.equal((await rig.find(poison)).state, 'paid');
  assert.ok(process.troubles.some(({ message }) => message === 'a payment could not be signed'));
  cured = true;
  rig.pass(16_000);
  await untilAll(process, [poison], 'completed');
});

test('bringing tokens in is tried for ever: it never ends as failed', async () => {
  const sell = await rig.sell({ amountMinor: 1_600_000n }, ['Polygon']);
  await rig.depositFor(sell, 1_600_000n);
  feedsAreFree();
  let fails = 12;
  const { process } = scripted({
    statusOf: (envelope) =>
      fails-- > 0 ? { kind: 'failed', reason: 'it changed', cost: null } : landed(envelope),
    more: { sweeps: true },
  });
  for (let step = 0; step < 60; step++) {
    await process.run();
    rig.pass(60_000);
  }
  const [sweep] = await rig.rows<{ state: string; attempts: number }>(
    `select state, attempts from movements where transaction_id = $1 and kind = 'sweep'`,
    sell.id,
  );
  assert.deepEqual(sweep, { state: 'done', attempts: 13 });
});

test('tokens at an address of their own are brought into the treasury once, whatever becomes of the sell', async () => {
  const sell = await rig.sell({ amountMinor: 1_600_000n }, ['Polygon']);
  await rig.depositFor(sell, 1_600_000n);
  feedsAreFree();
  const { process, payments } = scripted({ more: { sweeps: true } });
  for (let step = 0; step < 30; step++) {
    await process.run();
    rig.pass(300);
  }
  const [sweep, ...more] = await rig.rows<{ state: string; kind: string; id: string }>(
    `select id, kind, state from movements where transaction_id = $1 and kind = 'sweep'`,
    sell.id,
  );
  assert.deepEqual([sweep!.state, more], ['done', []]);
  const swept = payments.flat().filter(({ from }) => from === sell.id);
  assert.deepEqual(
    swept.map(({ orderId, amountMinor }) => [orderId, amountMinor]),
    [[sweep!.id, 16_000_000_000n]],
  );
  assert.equal((await rig.find(sell.id)).state, 'completed');
});

test('the books balance after all of it', () => booksBalance({ foundation: rig } as never));
