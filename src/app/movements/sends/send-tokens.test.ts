// Tests sends of tokens when two processes want the same buy, the treasury is empty, or a network or the database fails. The
// service sends no amount in part, and pays a buy once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../../test/e2e/settled.ts';
import { DEATH } from '../../../../test/support/networks/scripted-network.ts';
import { openSendStage } from '../../../../test/support/stages/sends.ts';
import { StoreUnavailable } from '../../../ports/store/store.ts';
import { makeLeaseRequest } from '../../engine/leases.ts';
import { sendTokens } from './send-tokens.ts';

const { leaseEnds, paidBuy, polygon, rig, sendOf, sentOnce } = await openSendStage();

test('threat 43: when two processes sign with the same sequence number, only one row has it, and only one buy is sent with it', async () => {
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
  const held = (await rig.deps.store.leaseTransactions(['paid'], makeLeaseRequest(rig.deps, 50))).filter(
    ({ id }) => mine.has(id),
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

test('threat 43: when two processes send one buy, there is one movement and one payment', async () => {
  const { id } = await paidBuy();
  await rig.backOffice.setMovementsPaused(true, 'test', { actor: 'test', atMs: rig.now() });
  await rig.until(id, 'paid');
  leaseEnds();
  const [held] = (await rig.deps.store.leaseTransactions(['paid'], makeLeaseRequest(rig.deps, 50))).filter(
    (each) => each.id === id,
  );
  await rig.backOffice.setMovementsPaused(false, 'test', { actor: 'test', atMs: rig.now() });
  const other = rig.another();
  await other.run();
  await Promise.all([sendTokens(rig.deps, [held!]), sendTokens(other.deps, [held!])]);
  await sentOnce(id);
  assert.equal((await rig.rows('select id from movements where transaction_id = $1', id)).length, 1);
});

test('threat 47: with an empty treasury the buy waits, nothing is sent in part, and it continues when there are tokens', async () => {
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
  // This tests the rule of the database itself, for two processes that both believe that there are enough tokens.
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

test('a network that fails to sign, or throws an error that its contract does not allow, does not block the sends of other networks', async () => {
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
    leaseEnds();
    await half.run().catch((error: Error) => assert.match(error.message, /node is down/));
    assert.equal((await rig.find(id)).state, 'completed', `${broken} on another network`);
    leaseEnds();
    await rig.until(blocked.id, 'completed');
  }
});

test('threat 86: if the database becomes unreachable before the commit, nothing is stored and nothing is broadcast', async () => {
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

test('a send that is rejected repeatedly is held for review, and its tokens are available again', async () => {
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

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
