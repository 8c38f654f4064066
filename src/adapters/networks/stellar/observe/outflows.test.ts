// Tests that every operation that may take our token out of the treasury is reported as an outflow or as unreadable. All other
// operations are not reported. The results of all servers are merged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountFields,
  ISSUER,
  makeChain,
  makeView,
  page,
  START_MS,
  TREASURY,
  type View,
} from '../../../../../test/contract/stellar/stellar-fixtures.ts';
import { makeOutflows } from './outflows.ts';

const STRANGER = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const HASH = 'ab'.repeat(32);
const INNER = 'cd'.repeat(32);
const LIST = `/accounts/${TREASURY}/operations`;
const TOKEN = { asset_type: 'credit_alphanum4', asset_code: 'NGNC', asset_issuer: ISSUER };
const under = (prefix: string, asset: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(asset).map(([name, value]) => [`${prefix}_${name}`, value]));

const cursorIn = ({ position }: { readonly position: string }) => position.split(' ')[0];
const placeOf = (ledger: number, index = 1) => `${(BigInt(ledger) << 32n) | 4096n | BigInt(index)}`;

type Changes = Record<string, unknown>;

function operation(ledger: number, type: string, changes: Changes = {}): Changes {
  const id = placeOf(ledger);
  return {
    id,
    paging_token: id,
    type,
    transaction_hash: HASH,
    transaction_successful: true,
    source_account: TREASURY,
    transaction: { hash: HASH },
    ...changes,
  };
}

const payment = (ledger: number, changes: Changes = {}) =>
  operation(ledger, 'payment', { from: TREASURY, to: STRANGER, amount: '7.0000000', ...TOKEN, ...changes });

async function shown(...records: readonly unknown[]) {
  const view = makeView();
  view.at.set(LIST, page(records));
  return makeOutflows(makeChain([view])).outflows('1');
}

async function amounts(record: Changes): Promise<readonly bigint[]> {
  const { outflows, unreadable } = await shown(record);
  assert.deepEqual(unreadable, []);
  return outflows.map(({ amountMinor }) => amountMinor);
}

test('a payment is an outflow with the hash of its transaction and of the inner transaction', async () => {
  const read = await shown(
    payment(5, { transaction: { hash: HASH, inner_transaction: { hash: INNER } }, to_muxed: 'M…' }),
  );
  assert.equal(cursorIn(read), placeOf(5));
  assert.deepEqual(read.outflows, [
    { txHash: HASH, innerHash: INNER, index: 0, to: 'M…', amountMinor: 70_000_000n },
  ]);
});

test('path payments, claimable balances, clawbacks and contract calls by other accounts are outflows', async () => {
  const sold = under('source', TOKEN);
  const path = { from: TREASURY, to: STRANGER, amount: '1.0000000', asset_type: 'native', ...sold };
  for (const type of ['path_payment', 'path_payment_strict_send', 'path_payment_strict_receive']) {
    assert.deepEqual(await amounts(operation(5, type, { ...path, source_amount: '3.0000000' })), [
      30_000_000n,
    ]);
    // A path payment to the treasury itself is an outflow too, because the token is exchanged for a different asset.
    const own = { ...path, to: TREASURY, source_amount: '3.0000000' };
    assert.deepEqual(await amounts(operation(5, type, own)), [30_000_000n]);
  }
  const claimants = [{ destination: STRANGER }, { destination: TREASURY }];
  const laidDown = { asset: `NGNC:${ISSUER}`, amount: '2.0000000', claimants };
  assert.deepEqual(await amounts(operation(5, 'create_claimable_balance', laidDown)), [20_000_000n]);
  const taken = { source_account: ISSUER, from: TREASURY, amount: '4.0000000', ...TOKEN };
  assert.deepEqual(await amounts(operation(5, 'clawback', taken)), [40_000_000n]);
  const change = { type: 'transfer', from: TREASURY, to: STRANGER, amount: '1.0000000', ...TOKEN };
  const called = { source_account: STRANGER, asset_balance_changes: [{ ...change, from: STRANGER }, change] };
  const { outflows } = await shown(operation(5, 'invoke_host_function', called));
  assert.deepEqual(
    outflows.map(({ index, amountMinor }) => [index, amountMinor]),
    [[4096, 10_000_000n]],
  );
});

test('other assets, incoming payments, settings and failed operations are not outflows', async () => {
  const fake = { ...TOKEN, asset_issuer: STRANGER };
  const native = { asset_type: 'native', asset_code: undefined, asset_issuer: undefined };
  const harmless: Changes[] = [
    payment(5, native),
    payment(5, fake),
    payment(5, { from: STRANGER, to: TREASURY, source_account: STRANGER }),
    payment(5, { to: TREASURY }),
    payment(5, { transaction_successful: false }),
    operation(5, 'path_payment_strict_send', { from: TREASURY, source_asset_type: 'native', ...TOKEN }),
    operation(5, 'path_payment_strict_send', { from: STRANGER, ...under('source', TOKEN) }),
    operation(5, 'create_claimable_balance', { asset: 'native', amount: '1.0000000', claimants: [] }),
    operation(5, 'create_claimable_balance', { source_account: STRANGER, asset: `NGNC:${ISSUER}` }),
    operation(5, 'clawback', { source_account: STRANGER, from: TREASURY, amount: '1.0000000', ...fake }),
    operation(5, 'manage_sell_offer', under('selling', fake)),
    operation(5, 'manage_buy_offer', { selling_asset_type: 'native' }),
    operation(5, 'invoke_host_function', {
      source_account: STRANGER,
      asset_balance_changes: [{ type: 'transfer', from: STRANGER, to: TREASURY, amount: '1', ...TOKEN }],
    }),
  ];
  const plain =
    'create_account set_options change_trust allow_trust set_trust_line_flags manage_data bump_sequence ' +
    'claim_claimable_balance begin_sponsoring_future_reserves end_sponsoring_future_reserves ' +
    'revoke_sponsorship inflation extend_footprint_ttl restore_footprint clawback_claimable_balance';
  for (const record of [...harmless, ...plain.split(' ').map((type) => operation(5, type))])
    assert.deepEqual(await amounts(record), [], JSON.stringify(record));
});

test('an operation that may have moved the token in an unknown way is unreadable', async () => {
  const bad: [Changes, RegExp][] = [
    [operation(5, 'manage_sell_offer', under('selling', TOKEN)), /offers the token/],
    [operation(5, 'manage_buy_offer', under('selling', TOKEN)), /offers the token/],
    [operation(5, 'create_passive_sell_offer', under('selling', TOKEN)), /offers the token/],
    [operation(5, 'manage_sell_offer', { selling_asset_type: 'credit_alphanum4' }), /is not a text/],
    [operation(5, 'liquidity_pool_deposit'), /may move the token/],
    [operation(5, 'liquidity_pool_withdraw'), /may move the token/],
    [operation(5, 'account_merge', { into: STRANGER }), /may move the token/],
    [operation(5, 'invoke_host_function', { asset_balance_changes: [] }), /called a contract/],
    [operation(5, 'something_new'), /may move the token/],
    [payment(5, { amount: 'much' }), /amount is not an amount/],
    [payment(5, { transaction_hash: 'x' }), /is not a hash/],
    [payment(5, { transaction: undefined }), /the transaction of an operation/],
  ];
  for (const [record, reason] of bad) {
    const { outflows, unreadable, ...rest } = await shown(record);
    assert.deepEqual(
      [outflows, unreadable.length, cursorIn(rest)],
      [[], 1, placeOf(5)],
      JSON.stringify(record),
    );
    assert.match(unreadable[0]!.reason, reason);
  }
});

test('threat 42: an outflow counts if one of two servers shows it, and the slower server sets the position', async () => {
  const views = [makeView(), makeView()];
  const { outflows } = makeOutflows(makeChain(views));
  const show = (view: View, ...records: readonly unknown[]) => view.at.set(LIST, page(records));
  show(views[0]!, payment(5), operation(6, 'something_new'));
  show(views[1]!, payment(5), operation(6, 'something_new'), payment(7, { transaction_hash: INNER }));
  const both = await outflows('1');
  assert.deepEqual(
    both.outflows.map(({ txHash }) => txHash),
    [HASH, INNER],
  );
  assert.deepEqual([both.unreadable.length, cursorIn(both)], [1, placeOf(6)]);
  show(views[0]!, payment(5, { amount: '6.0000000' }));
  assert.match((await outflows('1')).unreadable.map(({ reason }) => reason).join(), /show different records/);
  views[1]!.down = true;
  assert.equal(cursorIn(await outflows('1')), placeOf(5), 'one is enough');
  views[0]!.down = true;
  await assert.rejects(outflows('1'));
});

test('the first call starts at the last operation of the account, and a call without new operations keeps the position', async () => {
  const view = makeView();
  const chain = makeChain([view]);
  const { outflows } = makeOutflows(chain);
  view.at.set(LIST, page([payment(5)]));
  const { position, ...rest } = await outflows(null);
  assert.deepEqual([cursorIn({ position }), rest], [placeOf(5), { outflows: [], unreadable: [] }]);
  view.at.set(LIST, page([]));
  view.asked.length = 0;
  assert.equal((await outflows(position)).position, position);
  assert.equal(view.asked.length, 3);
  chain.time.nowMs = START_MS + 601_000;
  await assert.rejects(outflows(position), /has not ingested a ledger for a long time/);
  await assert.rejects(outflows('x'), /stored position/);
});

test('threat 49: all pages are read before the outflows are returned', async () => {
  const view = makeView({ latest: 1_000 });
  const dust = (from: number) =>
    page(
      Array.from({ length: 200 }, (_, index) =>
        payment(from + index, { from: STRANGER, to: TREASURY, source_account: STRANGER }),
      ),
    );
  const at = (cursor: string) => `${LIST}?cursor=${cursor}&order=asc&limit=200&join=transactions`;
  view.at.set(at('1'), dust(5));
  view.at.set(at(placeOf(204)), dust(205));
  view.at.set(at(placeOf(404)), page([payment(405)]));
  const read = await makeOutflows(makeChain([view])).outflows('1');
  assert.deepEqual([read.outflows.length, cursorIn(read)], [1, placeOf(405)]);
  view.at.set(at(placeOf(404)), page([payment(404)]));
  await assert.rejects(makeOutflows(makeChain([view])).outflows('1'), /out of order/);
});

test('threat 49: the balance must equal the old balance plus the operations up to its ledger, and any difference is returned', async () => {
  const view = makeView({ latest: 10 });
  const { outflows } = makeOutflows(makeChain([view]));
  const holds = (tokenMinor: bigint) =>
    view.at.set(`/accounts/${TREASURY}`, accountFields(TREASURY, { tokenMinor }));
  const memo = { hash: HASH, memo_type: 'none' };
  const came = payment(6, {
    ...{ from: STRANGER, to: TREASURY, source_account: STRANGER, amount: '3.0000000', transaction: memo },
  });
  const left = payment(5, { transaction: memo });
  view.at.set(LIST, page([left, came]));
  const start = `${placeOf(4)} 1000000000`;
  holds(960_000_000n);
  const well = await outflows(start);
  assert.deepEqual([well.unlistedMinor, well.position], [0n, `${placeOf(6)} 960000000`]);
  holds(959_999_993n);
  assert.equal((await outflows(start)).unlistedMinor, -7n);
  // Operations after the ledger of the balance are returned, but they are not counted and the position stays before them.
  view.at.set(LIST, page([left, came, payment(11, { transaction_hash: INNER, transaction: memo })]));
  holds(960_000_000n);
  const ahead = await outflows(start);
  assert.deepEqual(
    [ahead.outflows.length, ahead.unlistedMinor, cursorIn(ahead)],
    [2, 0n, placeOf(6)],
    'the list is ahead of the balance',
  );
  // A claim does not show its amount, so the new balance is taken as correct.
  view.at.set(LIST, page([operation(7, 'claim_claimable_balance', { transaction: memo })]));
  holds(5_000_000_000n);
  const claimed = await outflows(start);
  assert.deepEqual([claimed.unlistedMinor, claimed.position], [undefined, `${placeOf(7)} 5000000000`]);
});
