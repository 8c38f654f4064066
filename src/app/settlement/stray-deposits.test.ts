// Tests deposits that pay for no sell. Tokens without a deposit target or memo have no owner and stay in suspense. Another
// token is shown but not booked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { openRig, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';

const rig = await openRig();
const AMOUNT = 2_500_000n;
const TOKENS = AMOUNT * 10_000n;

const sellWith = (changes: Partial<Transaction> = {}) => rig.sell({ wallet: POLYGON_WALLET, ...changes });
const depositsOf = (id: string) => rig.deps.store.depositsOf([id]);
const paidOut = async (id: string) => (await rig.bank.paidOut(id)).map(({ amountMinor }) => amountMinor);

async function refundsOf(id: string) {
  const refunds = (await rig.deps.store.movementsOf([id])).filter(({ kind }) => kind === 'refund');
  return refunds.map(({ state, nairaMinor }) => [state, nairaMinor]);
}

test('threat 54: a deposit on a network for which the sell has no deposit target is recorded as unattributed, in suspense', async () => {
  const sell = await sellWith();
  const hash = await rig.depositFor(sell, AMOUNT, { network: 'Avalanche' });
  await rig.passing(2_000);
  assert.equal((await rig.find(sell.id)).state, 'awaiting_deposit');
  const [row] = await rig.rows<{ id: string; state: string; exception: string }>(
    'select id, state, exception from deposits where transaction_id is null and tx_hash = $1',
    hash,
  );
  assert.deepEqual([row!.state, row!.exception], ['suspense', 'unattributed']);
  assert.deepEqual(await rig.books(row!.id), {
    'NGNC@Avalanche suspense': -TOKENS,
    'NGNC@Avalanche treasury': TOKENS,
  });
});

test('threat 54: a deposit without its memo is unattributed', async () => {
  const sell = await rig.sell({}, ['Stellar']);
  const stellar = rig.network('Stellar');
  const { address } = stellar.depositTarget(sell.id);
  const hash = await stellar.arrive('no-memo', { address, memo: null, amountMinor: 5n });
  await rig.passing(2_000);
  assert.deepEqual(await depositsOf(sell.id), []);
  const [row] = await rig.rows('select exception from deposits where tx_hash = $1', hash);
  assert.deepEqual(row, { exception: 'unattributed' });
});

test('threat 54: a memo that looks like our encoding of a number does not stop the following deposits', async () => {
  const sell = await rig.sell({}, ['Stellar']);
  const stellar = rig.network('Stellar');
  const { address } = stellar.depositTarget(sell.id);
  for (const memo of [String.raw`bigint:x\u0000`, 'bigint:x\u0000'])
    await stellar.arrive(`memo ${memo}`, { address, memo, amountMinor: 5n });
  await rig.depositFor(sell, AMOUNT, { network: 'Stellar' });
  await rig.until(sell.id, 'completed');
});

test('threat 48: another token at the right address is shown, is not booked, and does not count as payment', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, AMOUNT, { ourToken: false });
  await rig.passing(3_000);
  const [deposit] = await depositsOf(sell.id);
  assert.deepEqual(
    [deposit!.state, deposit!.exception, deposit!.asset],
    ['suspense', 'wrong_token', 'unknown@Polygon'],
  );
  assert.deepEqual([(await rig.find(sell.id)).state, await rig.events(sell.id)], ['awaiting_deposit', []]);
});

test('threat 48: another token next to a partial deposit does not count toward the amount', async () => {
  const sell = await sellWith();
  await rig.depositFor(sell, AMOUNT, { ourToken: false });
  await rig.passing(1_000);
  await rig.depositFor(sell, AMOUNT - 1n);
  const held = await rig.until(sell.id, 'on_hold');
  assert.deepEqual([held.exception, held.receivedMinor], ['paid_partial', AMOUNT - 1n]);
  await rig.depositFor(sell, 1n);
  await rig.until(sell.id, 'completed');
  assert.deepEqual([await paidOut(sell.id), await refundsOf(sell.id)], [[AMOUNT], []]);
  const states = (await depositsOf(sell.id)).map(({ asset, state }) => [asset, state]);
  assert.deepEqual(states.toSorted(), [
    ['NGNC@Polygon', 'applied'],
    ['NGNC@Polygon', 'applied'],
    ['unknown@Polygon', 'suspense'],
  ]);
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
