// Tests the HTTP side through the SDK's own Horizon client. If the client can parse a response here, it can parse it on the
// real network.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  Account,
  AccountRequiresMemoError,
  Asset,
  Claimant,
  Horizon,
  Keypair,
  Memo,
  MuxedAccount,
  NotFoundError,
  Operation,
  type Transaction,
  TransactionBuilder,
  TransactionFailedError,
} from '@stellar/stellar-sdk';
import { hashOf } from '../../../test/support/networks/stellar-ledger.ts';
import { type RunningStellarLedger, startStellarLedger } from '../server.ts';
import type { SetUpToken } from '../set-up.ts';

let network: RunningStellarLedger;
let server: Horizon.Server;
let token: SetUpToken;

before(async () => {
  network = await startStellarLedger({ closeEveryMs: 20 });
  token = network.ledger.setUpToken({ customers: 4, withoutTrustline: 2 });
  server = new Horizon.Server(network.urls[0], { allowHttp: true });
});
after(() => network.close());

const pay = (to: string, amount: string, asset = token.asset) =>
  Operation.payment({ destination: to, asset, amount });

/** Pays like a client, with the sequence number from Horizon. */
async function paid(to: string, amount: string, memo: Memo = Memo.none()): Promise<Transaction> {
  const source = await server.loadAccount(token.treasury.publicKey());
  const transaction = new TransactionBuilder(source, {
    fee: '100',
    networkPassphrase: network.passphrase,
    memo,
  })
    .addOperation(pay(to, amount))
    .setTimeout(60)
    .build();
  transaction.sign(token.treasury);
  return transaction;
}

test('returns its network, its ledgers and its fees', async () => {
  const root = await server.root();
  assert.equal(root.network_passphrase, network.passphrase);
  const newest = (await server.ledgers().order('desc').limit(1).call()).records[0]!;
  assert.ok(newest.sequence >= root.history_latest_ledger);
  assert.equal(newest.paging_token, (BigInt(newest.sequence) << 32n).toString());
  assert.equal(await server.fetchBaseFee(), 100);
  const bounds = await server.fetchTimebounds(60);
  assert.ok(Math.abs(Number(bounds.maxTime) - 60 - network.ledger.now() / 1000) < 5);
});

test('accepts a transaction, waits for its ledger, and returns the original answer for a duplicate', async () => {
  const to = token.customers[0]!.publicKey();
  const transaction = await paid(to, '25.5', Memo.id('18446744073709551615'));
  await assert.rejects(server.transactions().transaction(hashOf(transaction)).call(), NotFoundError);
  const answer = await server.submitTransaction(transaction);
  assert.equal(answer.successful, true);
  assert.equal(answer.hash, hashOf(transaction));
  const again = await server.submitTransaction(transaction);
  assert.equal(again.ledger, answer.ledger);
  assert.equal(network.ledger.balanceOf(to, token.asset), 255_000_000n);
  const record = await server.transactions().transaction(hashOf(transaction)).call();
  assert.equal(record.successful, true);
  assert.equal(record.fee_charged, '100');
  assert.equal(record.memo_type, 'id');
  assert.equal(record.memo, '18446744073709551615');
  assert.equal(record.ledger_attr, answer.ledger);
  assert.equal(record.envelope_xdr, transaction.toXdr());
  assert.match(record.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const { records } = await server.operations().forTransaction(hashOf(transaction)).call();
  assert.equal(records[0]!.id, (BigInt(record.paging_token) + 1n).toString());
  const operation = await server.operations().operation(records[0]!.id).call();
  assert.equal((operation as unknown as { amount: string }).amount, '25.5000000');
});

test('returns the codes of a failed transaction, even when it is sent again', async () => {
  const transaction = await paid(token.withoutTrustline[0]!.publicKey(), '1');
  for (const _ of [1, 2]) {
    await assert.rejects(server.submitTransaction(transaction), (error) => {
      assert.ok(error instanceof TransactionFailedError);
      assert.equal(error.getResultCodes().transaction, 'tx_failed');
      assert.deepEqual(error.getResultCodes().operations, ['op_no_trust']);
      return true;
    });
  }
  const record = await server.transactions().transaction(hashOf(transaction)).call();
  assert.equal(record.successful, false);
  const hidden = await server.transactions().forAccount(token.treasury.publicKey()).limit(200).call();
  assert.ok(!hidden.records.some(({ hash }) => hash === record.hash));
  const shown = await server
    .transactions()
    .forAccount(token.treasury.publicKey())
    .includeFailed(true)
    .limit(200)
    .call();
  assert.ok(shown.records.some(({ hash }) => hash === record.hash));
});

test('refuses a transaction that cannot be decoded or has the wrong sequence', async () => {
  const malformed = await fetch(`${network.urls[0]}/transactions`, {
    method: 'POST',
    body: new URLSearchParams({ tx: 'AAAA' }),
  });
  assert.equal(malformed.status, 400);
  assert.match(malformed.headers.get('content-type')!, /^application\/problem\+json/);
  const body = (await malformed.json()) as { type: string; title: string; status: number };
  assert.equal(body.type, 'https://stellar.org/horizon-errors/transaction_malformed');
  const source = new Account(token.treasury.publicKey(), '5');
  const stale = new TransactionBuilder(source, { fee: '100', networkPassphrase: network.passphrase })
    .addOperation(pay(token.customers[0]!.publicKey(), '1'))
    .setTimeout(60)
    .build();
  stale.sign(token.treasury);
  await assert.rejects(server.submitTransaction(stale), (error) => {
    assert.ok(error instanceof TransactionFailedError);
    assert.equal(error.getResultCodes().transaction, 'tx_bad_seq');
    return true;
  });
});

test('responds at once on the asynchronous path', async () => {
  const transaction = await paid(token.customers[1]!.publicKey(), '1');
  const post = async () => {
    const body = new URLSearchParams({ tx: transaction.toXdr() });
    const response = await fetch(`${network.urls[1]}/transactions_async`, { method: 'POST', body });
    const answer = (await response.json()) as { tx_status: string; hash: string; error_result_xdr?: string };
    return { status: response.status, ...answer };
  };
  const first = await post();
  assert.deepEqual(first, { status: 201, tx_status: 'PENDING', hash: hashOf(transaction) });
  await server.submitTransaction(transaction);
  const late = await post();
  assert.equal(late.status, 400);
  assert.equal(late.tx_status, 'ERROR');
  assert.ok(late.error_result_xdr);
});

test('pages through payments without a gap or a duplicate, in both directions', async () => {
  const customer = token.customers[2]!.publicKey();
  const batch = Array.from({ length: 25 }, (_, at) => pay(customer, `${at + 1}`));
  network.ledger.execute(token.treasury, batch, { memo: Memo.text('batch') });
  const seen: string[] = [];
  let page = await server.payments().forAccount(customer).limit(7).join('transactions').call();
  const withTransaction = page.records.at(-1) as unknown as { transaction_attr: { memo: string } };
  assert.equal(withTransaction.transaction_attr.memo, 'batch');
  while (page.records.length > 0 && seen.length < 100) {
    seen.push(...page.records.map(({ id }) => id));
    page = await page.next();
  }
  // The creation of the account counts as a payment. Its trustline does not count.
  assert.equal(seen.length, 26);
  assert.equal(new Set(seen).size, 26);
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)),
  );
  const newest = await server.payments().forAccount(customer).order('desc').limit(3).call();
  assert.deepEqual(
    newest.records.map(({ id }) => id),
    seen.slice(-3).reverse(),
  );
  const rest = await server.payments().forAccount(customer).cursor(seen[23]!).limit(200).call();
  assert.deepEqual(
    rest.records.map(({ id }) => id),
    seen.slice(24),
  );
  const none = await fetch(`${network.urls[0]}/accounts/${customer}/payments?cursor=abc`);
  assert.equal(none.status, 400);
  await assert.rejects(server.payments().forAccount(Keypair.random().publicKey()).call(), NotFoundError);
});

test('threat 38: shows the muxed address and the memo of a deposit', async () => {
  const base = token.customers[3]!.publicKey();
  const muxed = new MuxedAccount(new Account(base, '0'), '9007199254740993').accountId();
  await server.submitTransaction(await paid(muxed, '3', Memo.text('naïra')));
  const { records } = await server
    .payments()
    .forAccount(base)
    .order('desc')
    .limit(1)
    .join('transactions')
    .call();
  const record = records[0] as Horizon.ServerApi.PaymentOperationRecord;
  assert.equal(record.to, base);
  assert.equal(record.to_muxed, muxed);
  assert.equal(record.to_muxed_id, '9007199254740993');
  assert.equal(record.asset_issuer, token.issuer.publicKey());
  const joined = (record as unknown as { transaction_attr: { memo: string; memo_type: string } })
    .transaction_attr;
  assert.deepEqual([joined.memo_type, joined.memo], ['text', 'naïra']);
});

test('threat 38: the client detects an account that requires a memo before it sends', async () => {
  const careful = token.withoutTrustline[1]!;
  network.ledger.execute(careful, [Operation.manageData({ name: 'config.memo_required', value: '1' })]);
  const bare = await paid(careful.publicKey(), '1');
  await assert.rejects(server.submitTransaction(bare), AccountRequiresMemoError);
});

test('threat 48: shows an account with its trustlines by issuer', async () => {
  const account = await server.loadAccount(token.treasury.publicKey());
  const [line, native] = account.balances as [
    Horizon.HorizonApi.BalanceLineAsset,
    Horizon.HorizonApi.BalanceLineNative,
  ];
  assert.equal(line.asset_issuer, token.issuer.publicKey());
  assert.equal(line.limit, '922337203685.4775807');
  assert.equal(native.asset_type, 'native');
  assert.equal(account.signers[0]!.key, token.treasury.publicKey());
  const { records } = await server.assets().forCode('NGNC').forIssuer(token.issuer.publicKey()).call();
  assert.equal(records[0]!.accounts.authorized, 5);
  assert.equal(records[0]!.balances.authorized, '1000000.0000000');
  await assert.rejects(server.loadAccount(Keypair.random().publicKey()), NotFoundError);
});

test('threat 37: lists a claimable balance until it is claimed', async () => {
  const stranger = token.withoutTrustline[0]!;
  const claimants = [new Claimant(stranger.publicKey(), Claimant.predicateBeforeAbsoluteTime('4102444800'))];
  const { asset } = token;
  network.ledger.execute(token.treasury, [
    Operation.createClaimableBalance({ asset, amount: '8', claimants }),
  ]);
  const open = () => server.claimableBalances().claimant(stranger.publicKey()).asset(asset).call();
  const [balance] = (await open()).records;
  assert.equal(balance!.amount, '8.0000000');
  assert.equal(balance!.asset, asset.toString());
  assert.deepEqual(balance!.claimants[0]!.predicate, {
    abs_before: '2100-01-01T00:00:00Z',
    abs_before_epoch: '4102444800',
  });
  network.ledger.trust([stranger], asset);
  network.ledger.execute(stranger, [Operation.claimClaimableBalance({ balanceId: balance!.id })]);
  assert.deepEqual((await open()).records, []);
  assert.equal(network.ledger.balanceOf(stranger.publicKey(), asset), 80_000_000n);
});

test('shows a fee bump under the hash of either transaction', async () => {
  const inner = network.ledger.build(token.treasury, [pay(token.customers[0]!.publicKey(), '1')]);
  const payer = token.customers[0]!;
  const outer = TransactionBuilder.buildFeeBumpTransaction(payer, '200', inner, network.passphrase);
  outer.sign(payer);
  await server.submitTransaction(outer, { skipMemoRequiredCheck: true });
  const byInner = await server.transactions().transaction(hashOf(inner)).call();
  const byOuter = await server.transactions().transaction(hashOf(outer)).call();
  assert.equal(byInner.hash, hashOf(inner));
  assert.equal(byOuter.hash, hashOf(outer));
  assert.equal(byInner.fee_bump_transaction!.hash, hashOf(outer));
  assert.equal(byOuter.inner_transaction!.hash, hashOf(inner));
  assert.equal(byOuter.fee_account, payer.publicKey());
  assert.equal(byOuter.fee_charged, '200');
  assert.equal(byOuter.max_fee, '400');
});

test('pays lumens, too', async () => {
  const customer = token.customers[0]!.publicKey();
  network.ledger.execute(token.treasury, [pay(customer, '1.5', Asset.native())]);
  const { records } = await server.payments().order('desc').limit(1).call();
  const record = records[0] as Horizon.ServerApi.PaymentOperationRecord;
  assert.deepEqual([record.asset_type, record.amount, record.to], ['native', '1.5000000', customer]);
});
