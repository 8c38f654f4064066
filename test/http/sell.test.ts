// Tests sells: the required fields, the banks that a sell may not pay to, and the deposit instructions in the response.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sellBody, startTestService } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { WALLETS } from '../support/wallets.ts';
import { assertRefused, countRows, OFFRAMP, storedTransaction, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business, foundation } = service;
const sell = (changes: object = {}) => service.post(OFFRAMP, sellBody(business, { ...changes }));
const NETWORKS = ['Stellar', 'Polygon', 'Solana', 'Avalanche'];

test('the response to a sell has the interface’s fields that apply to it, in their spelling', async () => {
  const answer = await sell({ reference: 'shape' });
  assert.deepEqual(Object.keys(answer.body), ['status', 'message', 'transaction']);
  assert.deepEqual([answer.body.status, answer.body.message], ['success', 'Sell transaction accepted.']);
  const { transaction } = answer.body;
  assert.deepEqual(Object.keys(transaction), [
    ...[
      'transaction_id',
      'business',
      'type',
      'reference',
      'quote_id',
      'amount',
      'account_number',
      'account_name',
    ],
    ...['bank_name', 'link_tag', 'network', 'wallet_address', 'deposit', 'deposits', 'date_created'],
    ...['state', 'state_reason', 'state_message', 'next_action', 'exception', 'mode', 'fee', 'net_amount'],
    ...['received_amount', 'missing_amount', 'refunded_amount', 'tx_hash', 'explorer_url', 'warnings'],
    ...['created_at', 'updated_at', 'expires_at', 'refunds', 'payout'],
  ]);
  assert.match(transaction.transaction_id, /^txn_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.deepEqual(transaction.business, { business_id: business.businessId });
  assert.deepEqual([transaction.type, transaction.reference, transaction.amount], ['Sell', 'shape', 25000]);
  assert.deepEqual(
    [transaction.account_number, transaction.account_name, transaction.bank_name, transaction.link_tag],
    ['0123456785', 'Adaeze Okafor', 'GTBank', business.linkTag],
  );
  assert.deepEqual([transaction.state, transaction.mode], ['awaiting_deposit', 'test']);
  assert.deepEqual([transaction.fee, transaction.net_amount], [0, 25000]);
  assert.deepEqual([transaction.received_amount, transaction.missing_amount], [0, 25000]);
  assert.deepEqual([transaction.refunds, transaction.payout, transaction.warnings], [[], null, []]);
});

test('without a network there is one instruction per network, each with its own decimals and address', async () => {
  const { transaction } = (await sell({ amount: 1234.56 })).body;
  assert.equal(transaction.deposit, null);
  assert.deepEqual(
    transaction.deposits.map((d: { network: string }) => d.network),
    NETWORKS,
  );
  for (const deposit of transaction.deposits) {
    assert.deepEqual(Object.keys(deposit), [
      ...[
        'network',
        'address',
        'memo',
        'memo_type',
        'asset',
        'expected_amount',
        'confirmations',
        'expires_at',
      ],
    ]);
    assert.deepEqual([deposit.asset, deposit.expected_amount], ['NGNC', 1234.56]);
    assert.equal(deposit.expires_at, transaction.expires_at);
    assert.equal(Date.parse(deposit.expires_at) - Date.parse(transaction.created_at), 24 * 3_600_000);
    if (deposit.network === 'Stellar') {
      assert.match(deposit.memo, /^[1-9][0-9]{0,18}$/);
      assert.equal(deposit.memo_type, 'id');
    } else {
      assert.deepEqual([deposit.memo, deposit.memo_type], [null, null]);
    }
  }
  const row = await storedTransaction(service, transaction.transaction_id);
  const stored = row.deposits as { network: string; expectedToken: string }[];
  assert.deepEqual(
    stored.map(({ network, expectedToken }) => [network, expectedToken]),
    [
      ['Stellar', '12345600000'],
      ['Polygon', '1234560000'],
      ['Solana', '123456'],
      ['Avalanche', '1234560000'],
    ],
  );
});

test('every sell has its own deposit addresses', async () => {
  const before = await countRows(service, 'deposit_targets');
  const answers = await Promise.all(Array.from({ length: 25 }, () => sell()));
  const targets = answers.flatMap(({ body }) =>
    body.transaction.deposits.map((d: { network: string; address: string; memo: string | null }) =>
      [d.network, d.address, d.memo].join(' '),
    ),
  );
  assert.equal(new Set(targets).size, 100);
  assert.equal(await countRows(service, 'deposit_targets'), before + 100);
  const { transaction_id, deposits } = answers[3]!.body.transaction;
  for (const { network, address, memo } of deposits) {
    const { rows } = await foundation.database.query({
      text: `select transaction_id from deposit_targets
        where mode = 'test' and network = $1 and address = $2 and memo = $3`,
      values: [network, address, memo ?? ''],
    });
    assert.deepEqual(rows, [{ transaction_id }]);
  }
});

test('if a network is given, the deposit is expected on it, and the wallet is the refund address', async () => {
  for (const network of NETWORKS) {
    const before = await countRows(service, 'deposit_targets');
    const wallet_address = WALLETS[network]!(5);
    const { transaction } = (await sell({ network: network.toUpperCase(), wallet_address })).body;
    assert.deepEqual([transaction.network, transaction.wallet_address], [network, wallet_address]);
    assert.equal(transaction.deposits.length, 1);
    assert.deepEqual(transaction.deposit, transaction.deposits[0]);
    assert.equal(transaction.deposit.network, network);
    assert.notEqual(transaction.deposit.address, wallet_address);
    assert.equal(await countRows(service, 'deposit_targets'), before + 1);
  }
});

test('the type must be sell_ramp, and the type of a buy is refused', async () => {
  for (const type of ['buy_ramp', 'Sell', 'sell', 'SELL_RAMP', '']) {
    assertRefused(await storingNothing(service, () => sell({ type })), 422, 'type_invalid', [
      'type: type_invalid',
    ]);
  }
});

test('an unknown bank, a closed bank and the central bank are refused', async () => {
  for (const [bank, code] of [
    ['Bank of Nowhere', 'bank_unknown'],
    ['GTBаnk', 'bank_unknown'],
    ['Heritage Bank', 'bank_not_payable'],
    ['heritage', 'bank_not_payable'],
    ['CBN', 'bank_not_payable'],
    ['', 'text_invalid'],
    ['x'.repeat(101), 'too_long'],
  ] as const) {
    const answer = await storingNothing(service, () => sell({ bank_name: bank }));
    assertRefused(answer, 422, code, [`bank_name: ${code}`]);
  }
  for (const bank of ['GTB', 'Guaranty Trust Bank', 'guaranty trust bank plc', '058', ' gtbank ']) {
    const answer = await sell({ bank_name: bank });
    assert.equal(answer.status, 200, bank);
    assert.equal(answer.body.transaction.bank_name, bank.trim());
    const row = await storedTransaction(service, answer.body.transaction.transaction_id);
    assert.equal(row.bank_code, 'guaranty-trust-bank');
  }
});

test('minimum, maximum and expiry can be configured', async () => {
  const other = await startTestService({ SELL_MIN: '500.50', SELL_MAX: '600', DEPOSIT_EXPIRY_HOURS: '2' });
  const ask = (amount: number) => other.post(OFFRAMP, sellBody(other.business, { amount }));
  assertRefused(await ask(500.49), 422, 'amount_below_minimum', ['amount: amount_below_minimum']);
  const above = await ask(600.01);
  assertRefused(above, 422, 'amount_above_maximum', ['amount: amount_above_maximum']);
  assert.equal(above.body.message, 'amount is above the maximum of ₦600.00.');
  for (const amount of [500.5, 600]) {
    const { status, body } = await ask(amount);
    assert.deepEqual([status, body.transaction.amount], [200, amount]);
    const { created_at, expires_at } = body.transaction;
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 2 * 3_600_000);
  }
});
