// Tests payments that share signed bytes, and wallets whose payments have an order, on a scripted network and with the real
// store.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../../test/e2e/settled.ts';
import {
  FINAL,
  landed,
  openScriptedRig,
  type Script,
  WALLET,
} from '../../../../test/support/networks/scripted-network.ts';
import type {
  Envelope,
  SendStatus,
  SigningResult,
  WalletTurn,
} from '../../../ports/networks/network-payer.ts';

const { allInOne, attemptsOf, bytes, paidBuys, rig, scripted, untilAll } = await openScriptedRig();

test('payments that are due together share one transaction: it is stored, broadcast and queried once, and each buy is completed', async () => {
  const ids = await paidBuys(5);
  const fee = { asset: 'POL', feeMinor: 1_003n, opened: [{ index: 2, amountMinor: 77n }] };
  const { process, sent, asked } = scripted({
    statusOf: (envelope) => ({ ...FINAL, hash: envelope.versions[0]!.hash, cost: fee }),
  });
  await untilAll(process, ids, 'completed');
  assert.equal(sent.length, 1);
  assert.equal(asked.length, 1);
  assert.equal(asked[0]!.orderIds.length, 5);
  const attempts = (await Promise.all(ids.map(attemptsOf))).flat();
  assert.deepEqual(attempts.map(({ index }) => index).sort(), [0, 1, 2, 3, 4]);
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

test('a process that takes over one of several orders in a shared transaction finds all of them', async () => {
  const ids = await paidBuys(3);
  const dying = scripted({ more: { broadcast: async () => assert.fail('died') } });
  await assert.rejects(dying.process.run());
  rig.pass(16_000);
  const next = scripted({ sign: () => assert.fail('nothing is signed anew') });
  await untilAll(next.process, ids, 'completed');
  assert.deepEqual(
    next.sent.map(({ payload }) => payload),
    next.sent.map(({ hash }) => hash.replace('0xhash', 'bytes ')),
  );
  assert.equal(next.asked[0]!.orderIds.length, 3);
});

test('an order that was not paid is signed again alone; the other orders are completed, and it is paid once', async () => {
  const ids = await paidBuys(4);
  const { process, payments } = scripted({
    statusOf: (envelope) => ({
      ...FINAL,
      hash: envelope.versions[0]!.hash,
      unpaid: envelope.orderIds.length > 1 ? [{ index: 1, reason: 'blacklisted' }] : [],
    }),
  });
  await untilAll(process, ids, 'completed');
  const tries = await Promise.all(ids.map(attemptsOf));
  assert.deepEqual(tries.map((each) => each.length).sort(), [1, 1, 1, 2]);
  const [first, second] = tries.find((each) => each.length === 2)!;
  assert.deepEqual([first!.state, first!.index, second!.state, second!.index], ['failed', 1, 'landed', 0]);
  assert.deepEqual(
    payments.at(-1)!.map(({ alone }) => alone),
    [true],
  );
});

test('after a shared transaction failed as a whole, each order is tried alone', async () => {
  const ids = await paidBuys(3);
  const { process, sent } = scripted({
    statusOf: (envelope) =>
      envelope.orderIds.length > 1 ? { kind: 'failed', reason: 'one was bad', cost: null } : landed(envelope),
  });
  await untilAll(process, ids, 'completed');
  assert.equal(sent.length, 4);
  for (const id of ids)
    assert.deepEqual(
      (await attemptsOf(id)).map(({ state }) => state),
      ['failed', 'landed'],
    );
});

/** Removes repeated queries. The service queries bytes that ended unpaid once more before it signs their orders again. */
function onceEach(asked: readonly Envelope[]): readonly Envelope[] {
  return [...new Map(asked.map((each) => [each.versions[0]!.hash, each])).values()];
}

test('a payment that made its transaction fail is sent alone; the others share a transaction again, and each is paid once', async () => {
  const ids = await paidBuys(5);
  let culprit: string | undefined;
  const { process, sent, asked, payments } = scripted({
    statusOf: (envelope) => {
      culprit ??= envelope.orderIds[3]!;
      const index = envelope.orderIds.indexOf(culprit);
      return envelope.orderIds.length > 1 && index >= 0
        ? { kind: 'failed', reason: `${index}: no trust`, cost: null, culprits: [index] }
        : landed(envelope);
    },
  });
  await untilAll(process, ids, 'completed');
  assert.equal(sent.length, 3);
  const [first, ...again] = onceEach(asked).map(({ orderIds }) => orderIds);
  assert.deepEqual(again.map(({ length }) => length).toSorted(), [1, 4]);
  assert.deepEqual(again.flat().toSorted(), first!.toSorted());
  const alone = payments.flat().filter((each) => each.alone);
  assert.deepEqual(
    alone.map(({ orderId }) => orderId),
    [culprit],
  );
});

test('a payment that repeatedly makes others fail does not block them: after three tries they are sent alone', async () => {
  const ids = await paidBuys(2);
  const failing = (envelope: Envelope): SendStatus => ({
    ...{ kind: 'failed', reason: 'another was bad', cost: null },
    culprits: [envelope.orderIds.length],
  });
  const { process, asked } = scripted({
    statusOf: (envelope) => (envelope.orderIds.length > 1 ? failing(envelope) : landed(envelope)),
  });
  await untilAll(process, ids, 'completed');
  assert.deepEqual(
    onceEach(asked).map(({ orderIds }) => orderIds.length),
    [2, 2, 2, 1, 1],
  );
});

test('if the database refuses one payment, the payments that were signed with it are still stored', async () => {
  const ids = await paidBuys(3);
  const taken = ids[1]!;
  const { process, payments } = scripted({
    sign: (given) => {
      const signed = allInOne(given);
      // The sequence number is already used. The database may refuse only the bytes that contain this payment.
      const bad = (each: SigningResult['envelopes'][number]) =>
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

test('threat 43: only one process at a time uses a wallet with ordered payments, and no sequence number is used twice', async () => {
  const ids = await paidBuys(6);
  const turns: WalletTurn[] = [];
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

test('threat 44: an order that is not stored leaves no gap, because the next signed order takes its sequence number', async () => {
  const ids = await paidBuys(4);
  let spoilt: string | undefined;
  const { process, sent } = scripted({
    more: {
      orderedBy: WALLET,
      prepare: async (given, turn) => {
        if (spoilt === undefined) {
          assert.equal(given.length, 4, 'all are signed together');
          spoilt = given[1]!.about!;
          await rig.rows(
            'update transaction_states set version = version + 1 where transaction_id = $1',
            spoilt,
          );
        }
        const last = BigInt(turn.lastSequence ?? 0n);
        const next = last < 300n ? 300n : last + 1n;
        return {
          envelopes: given.map((each, index) => bytes([each], `${next + BigInt(index)}`)),
          waiting: [],
        };
      },
    },
  });
  await process.run();
  const places = async () =>
    (
      await rig.rows<{ sequence: string }>(
        `select sequence from movement_attempts where source = $1 and sequence::numeric >= 300 order by sequence::numeric`,
        WALLET,
      )
    ).map(({ sequence }) => Number(sequence));
  assert.deepEqual(await places(), [300, 301, 302]);
  assert.deepEqual(sent.map(({ sequence }) => Number(sequence)).sort(), [300, 301, 302]);
  rig.pass(16_000);
  await untilAll(process, ids, 'completed');
  assert.deepEqual(await places(), [300, 301, 302, 303]);
});

test('threat 47: a payment that cannot be sent now waits and is reported, and is sent when possible', async () => {
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

test('one payment that cannot be signed does not block the payments in its batch', async () => {
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

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
