// Tests which payments are deposits, to which order a deposit belongs, and how unreadable records are handled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ISSUER,
  makeChain,
  makeView,
  page,
  START_MS,
  TREASURY,
  type View,
} from '../../../../../test/contract/stellar/stellar-fixtures.ts';
import type { DepositAddresses } from '../../../../ports/networks/network-observer.ts';
import { makeDeposits } from './deposits.ts';

const SENDER = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const WATCH: DepositAddresses = { recent: async () => [], ours: async () => new Set() };
const HASH = 'ab'.repeat(32);
const TOKEN = { asset_type: 'credit_alphanum4', asset_code: 'NGNC', asset_issuer: ISSUER };

const idOf = (ledger: number, index: number) => `${(BigInt(ledger) << 32n) | 4096n | BigInt(index)}`;

function record(ledger: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const id = idOf(ledger, 1);
  return {
    id,
    paging_token: id,
    type: 'payment',
    transaction_hash: HASH,
    transaction_successful: true,
    from: SENDER,
    to: TREASURY,
    amount: '12.5000000',
    ...TOKEN,
    transaction: { memo_type: 'id', memo: '77' },
    ...changes,
  };
}

const OPERATIONS = `/accounts/${TREASURY}/operations`;

async function observed(...records: readonly unknown[]) {
  const view = makeView();
  view.at.set(OPERATIONS, page(records));
  return makeDeposits(makeChain([view])).observe(null, WATCH);
}

test('a payment with a memo is a deposit, and the position moves past it', async () => {
  const { sightings, unreadable, position } = await observed(
    record(5, { created_at: '2026-11-14T10:00:05Z' }),
  );
  assert.deepEqual(unreadable, []);
  assert.equal(position, idOf(5, 1));
  assert.deepEqual(sightings, [
    {
      txHash: HASH,
      txIndex: 0,
      address: TREASURY,
      memo: '77',
      sender: SENDER,
      ourToken: true,
      amountMinor: 125_000_000n,
      final: false,
      chainAtMs: Date.parse('2026-11-14T10:00:05Z'),
    },
  ]);
  const untimed = await observed(record(5, { created_at: 'soon' }));
  assert.equal(untimed.sightings[0]!.chainAtMs, null);
});

test('id memos, text memos and muxed addresses name an order; hash memos do not', async () => {
  const cases: [Record<string, unknown>, string | null][] = [
    [{ transaction: { memo_type: 'text', memo: ' 77 ' } }, '77'],
    [{ transaction: { memo_type: 'text', memo: '077' } }, '77'],
    [{ transaction: { memo_type: 'text', memo: 'for Ade' } }, 'for Ade'],
    [{ transaction: { memo_type: 'hash', memo: 'q83vEjRWeJA=' } }, null],
    [{ transaction: { memo_type: 'none' } }, null],
    [{ transaction: { memo_type: 'none' }, to_muxed_id: '9007199254740993' }, '9007199254740993'],
    [{ to_muxed_id: '5' }, '5'],
  ];
  const records = cases.map(([changes], index) => {
    const id = idOf(index + 1, 1);
    return record(index + 1, { ...changes, id, paging_token: id });
  });
  const { sightings } = await observed(...records);
  assert.deepEqual(
    sightings.map(({ memo }) => memo),
    cases.map(([, memo]) => memo),
  );
});

test('threat 48: the token is identified by its code and issuer, and a payment in native coin is reported only with a memo', async () => {
  const native = { asset_type: 'native', asset_code: undefined, asset_issuer: undefined };
  const { sightings } = await observed(
    record(1, { asset_issuer: SENDER }),
    record(2, { asset_code: 'NGND' }),
    record(3, native),
    record(4, { ...native, transaction: { memo_type: 'none' } }),
  );
  assert.deepEqual(
    sightings.map(({ ourToken }) => ourToken),
    [false, false, false],
  );
});

test('path payments and contract transfers are deposits; outgoing, failed and own payments are not', async () => {
  const change = { type: 'transfer', from: SENDER, to: TREASURY, amount: '1.0000000', ...TOKEN };
  const { sightings } = await observed(
    record(1, { type: 'path_payment_strict_send', source_amount: '99.0000000' }),
    record(2, {
      type: 'invoke_host_function',
      from: undefined,
      to: undefined,
      amount: undefined,
      transaction: { memo_type: 'none' },
      asset_balance_changes: [
        { ...change, to: SENDER, from: TREASURY },
        { ...change, destination_muxed_id: '8' },
        { ...change, amount: '2.0000000' },
      ],
    }),
    record(3, { from: TREASURY, to: SENDER }),
    record(4, { from: TREASURY }),
    record(5, { transaction_successful: false }),
    record(6, { type: 'create_account', account: TREASURY }),
    record(7, { type: 'account_merge', into: TREASURY, transaction: { memo_type: 'none' } }),
  );
  assert.deepEqual(
    sightings.map(({ txIndex, memo, amountMinor }) => [txIndex, memo, amountMinor]),
    [
      [0, '77', 125_000_000n],
      [4_096, '8', 10_000_000n],
      [8_192, null, 20_000_000n],
    ],
  );
});

test('unreadable records are reported, and the records after them are read', async () => {
  const bad = [
    record(1, { amount: '1e7' }),
    record(2, { amount: undefined }),
    record(3, { type: 'something_new' }),
    record(4, { transaction_hash: 'no hash' }),
    record(5, { id: 'x' }),
    record(6, { type: 'account_merge', into: TREASURY }),
    'no record',
  ];
  const { sightings, unreadable, position } = await observed(...bad, record(9));
  assert.equal(sightings.length, 1);
  assert.deepEqual(
    unreadable.map(({ raw }) => raw),
    bad.map((each) => JSON.stringify(each)),
  );
  assert.equal(position, idOf(9, 1));
});

test('operations of the treasury itself and operations without a payment are ignored', async () => {
  const { sightings, unreadable } = await observed(
    record(1, { type: 'change_trust', source_account: TREASURY }),
    record(2, { type: 'set_trust_line_flags', source_account: ISSUER }),
    record(3, { type: 'manage_sell_offer', source_account: TREASURY }),
    record(4, { type: 'clawback', source_account: ISSUER, from: TREASURY }),
  );
  assert.deepEqual([sightings, unreadable], [[], []]);
});

test('threat 54: claimable balances for the treasury are reported to operators and do not count as deposits', async () => {
  const laidDown = (ledger: number, changes: Record<string, unknown> = {}) =>
    record(ledger, {
      type: 'create_claimable_balance',
      source_account: SENDER,
      asset: `NGNC:${ISSUER}`,
      claimants: [{ destination: SENDER }, { destination: TREASURY }],
      ...changes,
    });
  const { sightings, unreadable, position } = await observed(
    laidDown(1),
    laidDown(2, { asset: `NGNC:${SENDER}` }),
    laidDown(3, { claimants: [{ destination: SENDER }] }),
    laidDown(4, { source_account: TREASURY }),
    laidDown(5, { transaction_successful: false }),
  );
  assert.deepEqual([sightings, position], [[], idOf(5, 1)]);
  assert.deepEqual(
    unreadable.map(({ reason }) => reason),
    ['a claimable balance of 12.5000000 NGNC for the treasury: not received until it is claimed'],
  );
  assert.match(unreadable[0]!.raw, /create_claimable_balance/);
});

test('a page with records in the wrong order causes an error, and so does an unreachable server', async () => {
  await assert.rejects(observed(record(5), record(4)), /out of order/);
  const view = makeView({ down: true });
  await assert.rejects(makeDeposits(makeChain([view])).observe('1', WATCH), /down/);
});

test('threat 46: a stalled server, or one whose time is wrong, is skipped', async () => {
  for (const awayMs of [601_000, -25 * 3_600_000]) {
    const [still, moving] = [makeView(), makeView({ closedAtMs: START_MS + awayMs })];
    for (const view of [still, moving]) view.at.set(OPERATIONS, page([]));
    const chain = makeChain([still, moving]);
    chain.time.nowMs += awayMs;
    const { observe } = makeDeposits(chain);
    moving.at.set(OPERATIONS, page([record(5)]));
    assert.equal((await observe(null, WATCH)).sightings.length, 1);
    moving.down = true;
    await assert.rejects(observe(null, WATCH));
    // Deposits that a stalled server shows still count.
    still.at.set(OPERATIONS, page([record(5)]));
    assert.equal((await observe(null, WATCH)).sightings.length, 1);
  }
});

function receive(view: View, changes: Record<string, unknown> = {}): void {
  const transaction = { hash: HASH, successful: true, ledger: 101, memo_type: 'id', memo: '77' };
  view.at.set(`/transactions/${HASH}`, transaction);
  view.at.set(`/transactions/${HASH}/payments`, page([record(101, { ...changes, transaction: undefined })]));
}

test('threat 46: a large deposit is final when two servers show the same deposit', async () => {
  const views = [makeView(), makeView()];
  const chain = makeChain(views);
  const { confirm } = makeDeposits(chain);
  const asked = { txHash: HASH, txIndex: 0, address: 'G', memo: '77', amountMinor: 125_000_000n };
  assert.equal(await confirm(asked), 'unknown', 'no provider knows it');
  receive(views[0]!);
  assert.equal(await confirm(asked), 'pending', 'the second lags');
  assert.deepEqual(chain.troubles, []);
  views[1]!.latest = 101;
  assert.equal(await confirm(asked), 'unknown', 'the second has that ledger, and not the deposit');
  assert.equal(chain.troubles.length, 1);
  receive(views[1]!, { amount: '1.0000000' });
  assert.equal(await confirm(asked), 'unknown', 'the second has seen less');
  receive(views[1]!, { asset_issuer: SENDER });
  assert.equal(await confirm(asked), 'unknown', 'the second has seen another token');
  receive(views[1]!);
  for (const memo of ['78', '', null])
    assert.equal(await confirm({ ...asked, memo }), 'unknown', 'the first has lied about whose it is');
  assert.equal(await confirm(asked), 'final');
  views[0]!.down = true;
  assert.equal(await confirm(asked), 'unknown');
});

test('a small deposit is final if one server shows exactly the same deposit', async () => {
  const view = makeView();
  const { confirm } = makeDeposits(makeChain([view], { agreeFromMinor: null }));
  receive(view);
  assert.equal(
    await confirm({ txHash: HASH, txIndex: 0, address: 'G', memo: '77', amountMinor: 125_000_000n }),
    'final',
  );
  assert.equal(
    await confirm({ txHash: HASH, txIndex: 0, address: 'G', memo: '77', amountMinor: 125_000_001n }),
    'unknown',
  );
  assert.equal(
    await confirm({ txHash: HASH, txIndex: 1, address: 'G', memo: '77', amountMinor: 125_000_000n }),
    'unknown',
  );
});
