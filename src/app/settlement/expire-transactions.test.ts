// Tests what happens under every policy if only a part of a deposit arrives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { commitAll } from '../../../test/support/database.ts';
import { openRig, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { decideBusinessRequest } from '../../domain/settlement/business-requests.ts';

const AMOUNT = 2_500_000n;
const rig = await openRig({ shortDeposit: 'refund', lateDeposit: 'complete' });

const refundsOf = async (id: string) =>
  (await rig.deps.store.movementsOf([id]))
    .filter(({ kind }) => kind === 'refund')
    .map(({ state, nairaMinor }) => [state, nairaMinor]);

test('threat 50: with SHORT_DEPOSIT=refund the partial deposit is returned, and no naira leaves', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, 900_000n);
  const done = await rig.until(sell.id, 'refunded');
  assert.deepEqual([done.exception, done.refundedMinor], ['paid_partial', 900_000n]);
  assert.deepEqual([await refundsOf(sell.id), await rig.bank.paidOut(sell.id)], [[['done', 900_000n]], []]);
});

test('threat 48: another token next to a short deposit is not returned as ours', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, 900_000n);
  await rig.depositFor(sell, 5_000_000n, { ourToken: false });
  await rig.until(sell.id, 'refunded');
  assert.deepEqual(await refundsOf(sell.id), [['done', 900_000n]]);
});

test('a remainder below one kobo does not stop the refund of a short deposit, and stays in the books', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  const { address, memo } = rig.network('Polygon').depositTarget(sell.id);
  await rig.network('Polygon').arrive('dust', { address, memo, amountMinor: 9_999n });
  await rig.depositFor(sell, 900_000n);
  await rig.until(sell.id, 'refunded');
  assert.deepEqual(await refundsOf(sell.id), [['done', 900_000n]]);
  assert.equal((await rig.books(sell.id))['NGNC@Polygon dust'], -9_999n);
});

test('a partial deposit that is being returned does not count, so another part that is too small is not enough', async () => {
  const sell = await rig.sell();
  await rig.depositFor(sell, 1_500_000n);
  await rig.until(sell.id, 'expired');
  assert.deepEqual(await refundsOf(sell.id), [['pending', 1_500_000n]], 'it waits for a wallet');
  await rig.depositFor(sell, 1_000_000n);
  await rig.passing(5_000);
  assert.deepEqual(await rig.bank.paidOut(sell.id), [], 'no payout of 2.5m for 1m');
});

test('with LATE_DEPOSIT=complete tokens that arrive after expiry are paid out as late', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET, expiresAtMs: rig.now() + 1_000 });
  await rig.until(sell.id, 'expired');
  await rig.depositFor(sell, AMOUNT);
  const done = await rig.until(sell.id, 'completed');
  assert.equal(done.exception, 'paid_late');
});

test('with LATE_DEPOSIT=hold people decide about tokens that arrive after expiry', async () => {
  const holding = await openRig({ lateDeposit: 'hold' });
  const sell = await holding.sell({ wallet: POLYGON_WALLET, expiresAtMs: holding.now() + 1_000 });
  await holding.until(sell.id, 'expired');
  await holding.depositFor(sell, AMOUNT);
  const held = await holding.until(sell.id, 'on_hold');
  assert.equal(held.exception, 'paid_late');
  assert.equal((await holding.books(sell.id))['NGNC@Polygon suspense'], -AMOUNT * 10_000n);
});

test('when a payout fails after dust arrived, all tokens except the dust are returned', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  const { address, memo } = rig.network('Polygon').depositTarget(sell.id);
  await rig.network('Polygon').arrive('dust-2', { address, memo, amountMinor: 1n });
  await rig.depositFor(sell, AMOUNT);
  rig.meets('pay', '*', 'fails');
  await rig.until(sell.id, 'refunded');
  assert.deepEqual(await refundsOf(sell.id), [['done', AMOUNT]]);
});

test('a paid buy that has no wallet in time is held for review, and continues when the wallet is set', async () => {
  const buy = await rig.buy({
    wallet: null,
    state: 'awaiting_wallet',
    accountNumber: '5550001112',
    amountMinor: 1_777_700n,
    expiresAtMs: rig.now() + 60_000,
  });
  await rig.payIn({ payerAccount: '5550001112', amountMinor: 1_777_700n });
  await rig.passing(5_000);
  const waiting = await rig.find(buy.id);
  assert.deepEqual([waiting.state, waiting.receivedMinor], ['awaiting_wallet', 1_777_700n]);
  rig.pass(60_000);
  const held = await rig.until(buy.id, 'on_hold');
  assert.deepEqual([held.exception, held.receivedMinor], ['wallet_missing', 1_777_700n]);
  const given = decideBusinessRequest(held, {
    kind: 'wallet_given',
    wallet: POLYGON_WALLET,
    actor: 'key_1',
    atMs: rig.now(),
  });
  assert.ok(given.kind === 'move');
  await commitAll(rig.deps.store, [{ atMs: rig.now(), transactions: [given.move] }]);
  await rig.until(buy.id, 'completed');
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
