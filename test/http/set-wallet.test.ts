// Tests PUT …/wallet. A business can set the wallet of a buy that waits for one, and the refund wallet of a sell. Each can be
// set once and never changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deposit } from '../../src/domain/records/deposit.ts';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { WALLETS } from '../support/wallets.ts';
import { assertRefused, OFFRAMP, ONRAMP, storedTransaction, storingNothing } from './helpers.ts';
import { deposit } from './settlement-fixtures.ts';

const service = await sharedTestService();
const { business } = service;
const wallet = { network: 'Polygon', wallet_address: WALLETS.Polygon!(1) };

async function newBuy(): Promise<string> {
  const body = buyBody(business, { network: undefined, wallet_address: undefined });
  const { transaction } = (await service.post(ONRAMP, body)).body;
  assert.equal(transaction.state, 'awaiting_wallet');
  assert.deepEqual([transaction.network, transaction.wallet_address], [null, null]);
  assert.match(transaction.next_action, /PUT \/transactions\/v1\/\{transaction_id\}\/wallet/);
  return transaction.transaction_id;
}

async function newSell(changes: object = {}): Promise<string> {
  const answer = await service.post(OFFRAMP, sellBody(business, { ...changes }));
  assert.equal(answer.status, 200);
  return answer.body.transaction.transaction_id;
}

async function tokensCame(id: string, network: string, changes: Partial<Deposit> = {}): Promise<void> {
  const seen = { network, transactionId: id, dueAtMs: null, ...changes };
  const [outcome] = await service.foundation.store.commit([
    { atMs: Date.now(), newDeposits: [deposit(seen)] },
  ]);
  assert.deepEqual(outcome, { kind: 'committed' });
}

const put = (id: string, body: unknown) => service.put(`/transactions/v1/${id}/wallet`, body);

test('a buy that waits for a wallet continues once it has one', async () => {
  for (const network of ['Stellar', 'Polygon', 'Solana', 'Avalanche']) {
    const id = await newBuy();
    const given = { network: network.toLowerCase(), wallet_address: WALLETS[network]!(4) };
    const answer = await put(id, given);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('idempotent-replayed'), null);
    const { transaction } = answer.body;
    assert.deepEqual(
      [transaction.state, transaction.network, transaction.wallet_address],
      ['awaiting_payment', network, given.wallet_address],
    );
    const read = await service.get(`/transactions/v1/${id}`);
    assert.deepEqual(read.body.transaction, transaction);
    const { rows } = await service.foundation.database.query({
      text: 'select from_state, to_state, reason from timeline where transaction_id = $1 and version = 2',
      values: [id],
    });
    assert.deepEqual(rows, [
      { from_state: 'awaiting_wallet', to_state: 'awaiting_payment', reason: 'wallet_given' },
    ]);
  }
});

test('setting the same wallet again gets the same response; another wallet is refused', async () => {
  const id = await newBuy();
  const first = await put(id, wallet);
  const again = await storingNothing(service, () =>
    put(id, { network: 'POLYGON', wallet_address: wallet.wallet_address.toLowerCase() }),
  );
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  assert.deepEqual(again.body.transaction, first.body.transaction);
  for (const other of [
    { network: 'Polygon', wallet_address: WALLETS.Polygon!(2) },
    { network: 'Avalanche', wallet_address: wallet.wallet_address },
  ]) {
    assertRefused(await put(id, other), 409, 'wallet_already_set', []);
  }
  const row = await storedTransaction(service, id);
  assert.deepEqual([row.network, row.wallet_address, row.version], ['Polygon', wallet.wallet_address, 2]);
});

test('of twenty different wallets that are set at the same time, one is stored', async () => {
  const id = await newBuy();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => put(id, { ...wallet, wallet_address: WALLETS.Polygon!(i + 10) })),
  );
  const accepted = answers.filter(({ status }) => status === 200);
  assert.equal(accepted.length, 1);
  for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 409, 'wallet_already_set');
  const row = await storedTransaction(service, id);
  assert.equal(row.wallet_address, accepted[0]!.body.transaction.wallet_address);
  assert.equal(row.version, 2);
});

test('a buy that was created with a wallet keeps it', async () => {
  const { transaction } = (await service.post(ONRAMP, buyBody(business))).body;
  assertRefused(await put(transaction.transaction_id, wallet), 409, 'wallet_already_set');
});

test('a sell accepts a refund wallet on a network for which it has a deposit instruction, and its state does not change', async () => {
  const id = await newSell();
  const answer = await put(id, wallet);
  assert.equal(answer.status, 200);
  const { transaction } = answer.body;
  assert.deepEqual([transaction.state, transaction.network], ['awaiting_deposit', 'Polygon']);
  assert.equal(transaction.deposits.length, 4);
  assert.equal((await put(id, wallet)).headers.get('idempotent-replayed'), 'true');
  assertRefused(await put(id, { ...wallet, network: 'Avalanche' }), 409, 'wallet_already_set');
  const named = await newSell(wallet);
  assertRefused(
    await put(named, { network: 'Solana', wallet_address: WALLETS.Solana!(1) }),
    409,
    'wallet_already_set',
  );
});

test('a cancelled sell still accepts a refund wallet; a cancelled buy does not', async () => {
  const sell = await newSell();
  await service.post(`/transactions/v1/${sell}/cancel`, {});
  const answer = await put(sell, wallet);
  assert.deepEqual([answer.status, answer.body.transaction.state], [200, 'cancelled']);
  const buy = await newBuy();
  await service.post(`/transactions/v1/${buy}/cancel`, {});
  assertRefused(await put(buy, wallet), 409, 'state_conflict', []);
});

test('the wallet is checked in the same way as for a buy, and both fields are required', async () => {
  const id = await newBuy();
  for (const [body, status, code] of [
    [{ network: 'Base', wallet_address: wallet.wallet_address }, 422, 'network_unknown'],
    [{ network: 'Stellar', wallet_address: wallet.wallet_address }, 422, 'wallet_network_mismatch'],
    [{ network: 'Polygon', wallet_address: '0x12' }, 422, 'wallet_invalid'],
    [{ network: 'Polygon', wallet_address: `0x${'0'.repeat(40)}` }, 422, 'wallet_forbidden'],
    [{ network: 'Polygon' }, 400, 'required'],
    [{ wallet_address: wallet.wallet_address }, 400, 'required'],
    [{ network: null, wallet_address: null }, 400, 'wrong_type'],
    [[], 400, 'invalid_body'],
  ] as const) {
    assertRefused(await storingNothing(service, () => put(id, body)), status, code);
  }
  assert.equal((await storedTransaction(service, id)).version, 1);
});

test('threat 68: an unknown transaction and another business’s transaction get the same 404', async () => {
  const other = await service.addBusiness('wallet-other');
  const id = await newBuy();
  const theirs = await service.put(`/transactions/v1/${id}/wallet`, wallet, { key: other.testKey });
  assertRefused(theirs, 404, 'transaction_not_found', []);
  const live = await service.put(`/transactions/v1/${id}/wallet`, wallet, { key: business.liveKey });
  assertRefused(live, 422, 'network_not_enabled');
  for (const unknown of [`txn_${'0'.repeat(26)}`, 'nothing', 'txn_', "'or'1'='1"]) {
    assertRefused(await put(unknown, wallet), 404, 'transaction_not_found', []);
  }
  assert.equal((await storedTransaction(service, id)).network, null);
});

test('threat 68: another business gets 404 for a sell, and does not learn on which network the tokens are', async () => {
  const other = await service.addBusiness('wallet-nosy');
  const id = await newSell();
  await tokensCame(id, 'Stellar');
  assertRefused(await put(id, wallet), 422, 'wallet_network_mismatch', ['network: wallet_network_mismatch']);
  const theirs = await service.put(`/transactions/v1/${id}/wallet`, wallet, { key: other.testKey });
  assertRefused(theirs, 404, 'transaction_not_found', []);
});

test('a sell with tokens on two networks accepts a wallet on either network, and refuses one on another network', async () => {
  for (const network of ['Stellar', 'Polygon']) {
    const id = await newSell();
    await tokensCame(id, 'Stellar');
    await tokensCame(id, 'Polygon');
    const elsewhere = await put(id, { network: 'Solana', wallet_address: WALLETS.Solana!(3) });
    assertRefused(elsewhere, 422, 'wallet_network_mismatch');
    assert.match(
      elsewhere.body.message,
      /on (Stellar and Polygon|Polygon and Stellar)\. .*one of these networks/,
    );
    const answer = await put(id, { network, wallet_address: WALLETS[network]!(3) });
    assert.deepEqual([answer.status, answer.body.transaction?.network], [200, network]);
  }
});

test('dropped deposits and other tokens do not restrict the network of the wallet; setting the same wallet again gets the same response', async () => {
  const id = await newSell();
  await tokensCame(id, 'Stellar', { state: 'gone' });
  await tokensCame(id, 'Solana', { exception: 'wrong_token' });
  assert.equal((await put(id, wallet)).status, 200);
  await tokensCame(id, 'Stellar');
  const again = await put(id, wallet);
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
});
