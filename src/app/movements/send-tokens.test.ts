// Sends of tokens when processes die, networks lie and the treasury is empty: bytes are stored before they are
// broadcast, and a buy is paid once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { DEATH } from '../../../test/support/networks/deaths.ts';
import { openRig } from '../../../test/support/settlement.ts';
import type { Movement } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Prepared } from '../../ports/network/pays.ts';
import { StoreUnavailable } from '../../ports/store/unavailable.ts';
import { leaseOf } from '../settlement/context.ts';
import { sendTokens } from './send-tokens.ts';

const rig = await openRig();
const polygon = rig.network('Polygon');

let people = 0;
async function paidBuy(changes: Partial<Transaction> = {}) {
  people++;
  const payer = {
    accountNumber: `${5_000_000_000 + people * 7_919}`,
    amountMinor: 2_000_000n + BigInt(people),
  };
  const buy = await rig.buy({ ...payer, ...changes });
  await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: payer.amountMinor });
  return { ...payer, id: buy.id };
}

/** Another process takes over what the dead process held. */
const leaseEnds = () => rig.pass(16_000);
const sendOf = async (id: string): Promise<Movement> => (await rig.deps.store.movementsOf([id]))[0]!;
const attemptsOf = (movementId: string) =>
  rig.rows<{ no: number; state: string; reference: string; payload: string }>(
    'select no, state, reference, payload from movement_attempts where movement_id = $1 order by no',
    movementId,
  );

async function sentOnce(id: string): Promise<void> {
  await rig.until(id, 'completed');
  const send = await sendOf(id);
  assert.equal(await polygon.paidTimes(send.id), 1);
  const { txHash } = await rig.find(id);
  assert.ok(
    (await attemptsOf(send.id)).some(({ reference, state }) => reference === txHash && state === 'landed'),
  );
}

test('threat 40: a crash between signing and broadcast: the same stored bytes are broadcast', async () => {
  const { id } = await paidBuy();
  const dying = rig.another({ network: () => ({ broadcast: async () => assert.fail('died') }) });
  leaseEnds();
  await assert.rejects(dying.run());
  const send = await sendOf(id);
  const [stored, ...more] = await attemptsOf(send.id);
  assert.deepEqual([stored!.state, more, (await rig.find(id)).state], ['prepared', [], 'sending']);
  assert.equal(await polygon.paidTimes(send.id), 0);

  const sent: Prepared[] = [];
  const next = rig.another({
    network: (real) => ({
      broadcast: (prepared) => {
        sent.push(prepared);
        return real.broadcast(prepared);
      },
      prepare: async () => assert.fail('nothing is signed anew'),
    }),
  });
  // Sooner than the bytes expire.
  await rig.rows(
    `update movements set due_at = to_timestamp($1::float8 / 1000) where id = $2`,
    rig.now(),
    send.id,
  );
  await next.run();
  assert.deepEqual(
    sent.map(({ hash, payload }) => [hash, payload]),
    [[stored!.reference, stored!.payload]],
  );
  leaseEnds();
  await sentOnce(id);
  assert.equal((await attemptsOf(send.id)).length, 1);
});

test('threat 40: bytes that expired before any process broadcast them are proven dead before new ones are signed', async () => {
  const { id } = await paidBuy();
  leaseEnds();
  await assert.rejects(
    rig.another({ network: () => ({ broadcast: async () => assert.fail('died') }) }).run(),
  );
  leaseEnds();
  await sentOnce(id);
  const attempts = await attemptsOf((await sendOf(id)).id);
  assert.deepEqual(
    attempts.map(({ state }) => state),
    ['rejected', 'landed'],
  );
});

test('threat 41: a crash between broadcast and recording: recovery asks by the stored hash, and pays no second time', async () => {
  const { id } = await paidBuy();
  const dying = rig.another({
    network: (real) => ({
      broadcast: async (prepared) => {
        assert.equal((await real.broadcast(prepared)).kind, 'accepted');
        return assert.fail('died');
      },
    }),
  });
  leaseEnds();
  await assert.rejects(dying.run());
  const [stored] = await attemptsOf((await sendOf(id)).id);
  assert.equal(stored!.state, 'prepared', 'what the network said was lost');
  leaseEnds();
  await sentOnce(id);
  const attempts = await attemptsOf((await sendOf(id)).id);
  assert.deepEqual(
    attempts.map(({ reference }) => reference),
    [stored!.reference],
  );
});

test('threat 42: an error although it landed is unknown: the same bytes are asked about, and it is paid once', async () => {
  const { id, amountMinor } = await paidBuy();
  rig.meets('broadcast', '*', 'answer_lost');
  await rig.run();
  const send = await sendOf(id);
  const [unknown] = await attemptsOf(send.id);
  assert.deepEqual(
    [send.state, unknown!.state, (await rig.find(id)).state],
    ['unknown', 'unknown', 'sending'],
  );
  assert.equal(
    (await rig.books(id))['NGN owed'],
    -amountMinor,
    'not counted as sent while the outcome is unknown',
  );
  await sentOnce(id);
  assert.equal((await attemptsOf(send.id)).length, 1);
});

test('threat 42: lost on the way it is offered again, the same bytes; new ones come only after it is dead', async () => {
  const { id } = await paidBuy();
  rig.meets('broadcast', '*', 'dropped');
  await rig.run();
  const send = await sendOf(id);
  const [first] = await attemptsOf(send.id);
  const bound = Number(JSON.parse(first!.payload).boundMs);
  for (; rig.now() < bound; rig.pass(100)) {
    await rig.run();
    assert.equal((await attemptsOf(send.id)).length, 1, 'it may still land');
  }
  await sentOnce(id);
  assert.deepEqual(
    (await attemptsOf(send.id)).map(({ no, state }) => [no, state]),
    [
      [1, 'dead'],
      [2, 'landed'],
    ],
  );
});

test('threat 42: a network that answers nothing for an hour gets no second attempt', async () => {
  const { id } = await paidBuy();
  const silent = { kind: 'unknown', reason: 'no connection' } as const;
  const deaf = rig.another({ network: () => ({ broadcast: async () => silent, ask: async () => silent }) });
  leaseEnds();
  for (let minute = 0; minute < 60; minute += 5) {
    await deaf.run();
    rig.pass(5 * 60_000);
  }
  const send = await sendOf(id);
  assert.deepEqual([send.state, send.attempts, (await attemptsOf(send.id)).length], ['unknown', 1, 1]);
  rig.pass(10 * 60_000);
  await sentOnce(id);
});

test('threat 43: two processes sign with one sequence: one row holds it, and one buy is sent with it', async () => {
  const buys = [await paidBuy(), await paidBuy()];
  const doing = { actor: 'test', atMs: rig.now() };
  await rig.backOffice.setMovementsPaused(true, 'test', doing);
  for (const { id } of buys) await rig.until(id, 'paid');
  leaseEnds();
  const sequenced = () =>
    rig.another({
      network: (real) => ({
        prepare: async (payments, turn) => {
          const signed = await real.prepare(payments, turn);
          return { ...signed, envelopes: signed.envelopes.map((each) => ({ ...each, sequence: '7' })) };
        },
      }),
    });
  const processes = [sequenced(), sequenced()];
  const mine = new Set(buys.map(({ id }) => id));
  const held = (await rig.deps.store.leaseTransactions(['paid'], leaseOf(rig.deps, 50))).filter(({ id }) =>
    mine.has(id),
  );
  assert.equal(held.length, 2);
  await rig.backOffice.setMovementsPaused(false, 'test', doing);
  for (const each of processes) await each.run();
  await Promise.all(processes.map(({ deps }, index) => sendTokens(deps, [held[index]!])));
  const rows = await rig.rows(`select movement_id from movement_attempts where sequence = '7'`);
  assert.equal(rows.length, 1);
  const refused = processes
    .flatMap(({ troubles }) => troubles)
    .filter(({ message }) => message === 'a send was refused');
  assert.deepEqual(
    refused.map(({ detail }) => detail.constraint),
    ['movement_attempts_one_sequence'],
  );
  for (const { id } of buys) await sentOnce(id);
});

test('threat 43: two processes send one buy: one movement, one payment', async () => {
  const { id } = await paidBuy();
  await rig.backOffice.setMovementsPaused(true, 'test', { actor: 'test', atMs: rig.now() });
  await rig.until(id, 'paid');
  leaseEnds();
  const [held] = (await rig.deps.store.leaseTransactions(['paid'], leaseOf(rig.deps, 50))).filter(
    (each) => each.id === id,
  );
  await rig.backOffice.setMovementsPaused(false, 'test', { actor: 'test', atMs: rig.now() });
  const other = rig.another();
  await other.run();
  await Promise.all([sendTokens(rig.deps, [held!]), sendTokens(other.deps, [held!])]);
  await sentOnce(id);
  assert.equal((await rig.rows('select id from movements where transaction_id = $1', id)).length, 1);
});

test('threat 47: an empty treasury: the buy waits, nothing is sent in part, and it goes on when there are tokens', async () => {
  const key = 'test/NGNC@Polygon/treasury';
  const [{ balance }] = (await rig.rows(
    'select balance::text as balance from accounts where key = $1',
    key,
  )) as [{ balance: string }];
  const { id, amountMinor } = await paidBuy();
  const tokens = amountMinor * 10_000n;
  const store = (left: bigint) => (real: typeof rig.deps.store) => ({
    balances: async (keys: readonly string[]) =>
      new Map([...(await real.balances(keys)), [key, left] as const]),
  });
  leaseEnds();
  const poor = rig.another({ store: store(tokens - 1n) });
  await poor.run();
  assert.equal((await rig.find(id)).state, 'paid');
  assert.deepEqual(await rig.deps.store.movementsOf([id]), []);
  assert.ok(poor.troubles.some(({ message }) => message === 'the treasury is too low'));
  // The database's own rule, should two processes both believe that there is enough.
  await rig.rows(`update accounts set balance = $2::numeric where key = $1`, key, `${tokens - 1n}`);
  leaseEnds();
  const hopeful = rig.another({ store: store(tokens) });
  await hopeful.run();
  assert.deepEqual(await rig.deps.store.movementsOf([id]), []);
  assert.ok(hopeful.troubles.some(({ detail }) => detail.constraint === 'accounts_not_negative'));
  await rig.rows(`update accounts set balance = $2::numeric where key = $1`, key, balance);
  leaseEnds();
  await sentOnce(id);
});

test('one network that fails to sign, or breaks its word and throws, holds up no other’s sends', async () => {
  const stellar = { network: 'Stellar', address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ' };
  for (const broken of ['prepare', 'broadcast', 'ask'] as const) {
    const blocked = await paidBuy({ wallet: stellar });
    const { id } = await paidBuy();
    leaseEnds();
    const half = rig.another({
      network: ({ name }) =>
        name === 'Stellar' ? { [broken]: async () => assert.fail('the node is down') } : {},
    });
    for (let step = 0; step < 10; step++) {
      await half.run().catch((error: Error) => assert.match(error.message, /node is down/));
      rig.pass(300);
    }
    // At the latest when the lease of the batch ends.
    leaseEnds();
    await half.run().catch((error: Error) => assert.match(error.message, /node is down/));
    assert.equal((await rig.find(id)).state, 'completed', `${broken} on another network`);
    leaseEnds();
    await rig.until(blocked.id, 'completed');
  }
});

test('threat 86: the database goes away before the commit: nothing is stored, and nothing is broadcast', async () => {
  const { id } = await paidBuy();
  await rig.backOffice.setMovementsPaused(true, 'test', { actor: 'test', atMs: rig.now() });
  await rig.until(id, 'paid');
  await rig.backOffice.setMovementsPaused(false, 'test', { actor: 'test', atMs: rig.now() });
  for (const acted of [false, true]) {
    leaseEnds();
    const cut = rig.another({
      store: (real) => ({
        commit: async (changes, feed) => {
          if (acted) await real.commit(changes, feed);
          throw new StoreUnavailable('gone', { mayHaveActed: acted });
        },
      }),
      network: () => ({ broadcast: async () => assert.fail('broadcast without a commit') }),
    });
    await assert.rejects(cut.run(), StoreUnavailable);
    assert.equal(
      (await rig.find(id)).state,
      acted ? 'sending' : 'paid',
      'committed, and the answer lost: or nothing',
    );
  }
  assert.equal(await polygon.paidTimes((await sendOf(id)).id), 0);
  leaseEnds();
  await sentOnce(id);
});

test('rejected over and over it is given up: held for people, the tokens free again', async () => {
  const { id, amountMinor } = await paidBuy();
  const refusing = rig.another({
    network: () => ({ broadcast: async () => ({ kind: 'rejected', reason: 'no', death: DEATH }) }),
  });
  leaseEnds();
  for (let round = 0; round < 12; round++) {
    await refusing.run();
    rig.pass(5 * 60_000);
  }
  const held = await rig.find(id);
  assert.deepEqual([held.state, held.exception], ['on_hold', 'send_failed']);
  const books = await rig.books(id);
  assert.deepEqual(books, { 'NGN owed': -amountMinor, 'NGN suspense': amountMinor });
  assert.ok(refusing.troubles.some(({ message }) => message === 'a movement was given up'));
});

test('the books balance after all of it', () => booksBalance({ foundation: rig } as never));
