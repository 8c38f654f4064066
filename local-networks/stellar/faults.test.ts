// Tests the effects of provider faults on the client. The ledger itself stays correct, even if the response is wrong.
import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import {
  BadResponseError,
  NetworkError,
  NotFoundError,
  Operation,
  TransactionFailedError,
} from '@stellar/stellar-sdk';
import { hashOf, openStellarFaultStage } from '../../test/support/networks/stellar-ledger.ts';
import { longEnough, until } from '../../test/support/patience.ts';
import { stellarTroubles } from './troubles.ts';

const { network, servers, token, customer, build, held, known } = await openStellarFaultStage();
afterEach(() => network.faults.clear());
after(() => network.close());

test('threat 42: if the response is lost after acceptance, the transaction lands, and submitting it again returns the original response', async () => {
  const transaction = build();
  const before = held();
  const lost = network.faults.add({ kind: 'lost_answer' }, { next: 1 });
  await assert.rejects(servers[0].submitTransaction(transaction));
  assert.equal(lost.hits, 1);
  network.ledger.close();
  const answer = await servers[0].submitTransaction(transaction);
  assert.equal(answer.successful, true);
  assert.equal(held(), before + 10_000_000n);
});

test('threat 42: a 504 is returned although the transaction lands', async () => {
  const transaction = build();
  network.faults.add({ kind: 'timeout_but_lands' }, { next: 1 });
  await assert.rejects(servers[0].submitTransaction(transaction), (error) => {
    assert.ok(error instanceof BadResponseError);
    assert.equal((error.getResponse() as { status?: number }).status, 504);
    return true;
  });
  await assert.rejects(known(0, hashOf(transaction)), NotFoundError);
  network.ledger.close();
  assert.equal((await known(0, hashOf(transaction))).successful, true);
});

test('threat 42: a ledger that does not close in time also causes a 504', async () => {
  const transaction = build();
  await assert.rejects(servers[0].submitTransaction(transaction), BadResponseError);
  const rival = network.ledger.build(token.treasury, [Operation.bumpSequence({ bumpTo: '1' })]);
  await assert.rejects(servers[0].submitTransaction(rival), BadResponseError);
  network.ledger.close();
  assert.equal((await known(1, hashOf(transaction))).successful, true);
  await assert.rejects(known(1, hashOf(rival)), NotFoundError);
});

test('a dropped transaction is accepted and never included; it is accepted again when it is sent again', async () => {
  const transaction = build();
  network.faults.add({ kind: 'drop' }, { next: 1 });
  const answer = await servers[0].submitAsyncTransaction(transaction);
  assert.equal(answer.tx_status, 'PENDING');
  assert.equal(network.ledger.close().transactions.length, 0);
  assert.equal((await servers[0].submitAsyncTransaction(transaction)).tx_status, 'PENDING');
  assert.equal(network.ledger.close().transactions.length, 1);
});

test('if the connection is cut before acceptance, nothing is stored', async () => {
  const transaction = build();
  network.faults.add({ kind: 'cut' }, { url: network.urls[0], on: 'submit' });
  await assert.rejects(servers[0].submitTransaction(transaction));
  assert.equal(network.ledger.pendingCount, 0);
  assert.equal((await servers[1].submitAsyncTransaction(transaction)).tx_status, 'PENDING');
  network.ledger.close();
});

test('threat 42: a lagging provider knows neither the transaction nor the sequence; the other provider does', async () => {
  const transaction = build();
  await servers[0].submitAsyncTransaction(transaction);
  network.ledger.close();
  const { sequence } = network.ledger.account(token.treasury.publicKey())!;
  network.faults.add({ kind: 'lag', ledgers: 1 }, { url: network.urls[1] });
  await assert.rejects(known(1, hashOf(transaction)), NotFoundError);
  assert.equal(
    (await servers[1].loadAccount(token.treasury.publicKey())).sequence,
    (sequence - 1n).toString(),
  );
  const { records } = await servers[1].payments().forAccount(customer()).order('desc').limit(1).call();
  assert.notEqual(records[0]!.transaction_hash, hashOf(transaction));
  const root = await servers[1].root();
  assert.equal(root.history_latest_ledger, network.ledger.latest.sequence - 1);
  const newest = await servers[1].ledgers().order('desc').limit(1).call();
  assert.equal(newest.records[0]!.sequence, network.ledger.latest.sequence - 1);
  // The core has already applied the transaction. If the client sends it again, the result bad_seq does not mean that it is in
  // no ledger.
  await assert.rejects(servers[1].submitTransaction(transaction), (error) => {
    assert.ok(error instanceof TransactionFailedError);
    return error.getResultCodes().transaction === 'tx_bad_seq';
  });
  assert.equal((await known(0, hashOf(transaction))).successful, true);
  network.ledger.close();
  assert.equal((await known(1, hashOf(transaction))).successful, true);
});

const asked = async (path: string, at: 0 | 1 = 0) => {
  const response = await fetch(`${network.urls[at]}${path}`);
  return {
    status: response.status,
    ledger: response.headers.get('latest-ledger'),
    body: (await response.json()) as Record<string, unknown>,
  };
};
const paths = () => {
  const treasury = `/accounts/${token.treasury.publicKey()}`;
  return { treasury, list: `${treasury}/transactions?order=desc&limit=1` };
};

test('only responses about state contain their ledger number, even on a lagging server', async () => {
  const transaction = build();
  await servers[0].submitAsyncTransaction(transaction);
  const { sequence } = network.ledger.close();
  const { treasury, list } = paths();
  const stateful = [treasury, '/accounts/GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'];
  for (const path of [...stateful, '/claimable_balances', '/assets'])
    assert.equal((await asked(path)).ledger, `${sequence}`, path);
  for (const path of ['/', '/ledgers', `/ledgers/${sequence}`, list, `/transactions/${hashOf(transaction)}`])
    assert.equal((await asked(path)).ledger, null, path);
  network.faults.add({ kind: 'lag', ledgers: 2 });
  assert.equal((await asked(treasury)).ledger, `${sequence - 2}`);
});

test('threat 42: each path can lag behind the others, and shows its lag only if the real server would', async () => {
  const until = network.ledger.latest.sequence;
  const before = network.ledger.account(token.treasury.publicKey())!.sequence;
  const transaction = build();
  await servers[0].submitAsyncTransaction(transaction);
  const { sequence } = network.ledger.close();
  const { treasury, list } = paths();
  const status = `/transactions/${hashOf(transaction)}`;
  const seen = async () => {
    const account = await asked(treasury);
    const { _embedded } = (await asked(list)).body as { _embedded: { records: { hash: string }[] } };
    return {
      status: (await asked(status)).status === 200,
      account: account.body.sequence !== `${before}`,
      named: Number(account.ledger) === sequence,
      height: (await asked('/')).body.history_latest_ledger === sequence,
      history: _embedded.records[0]!.hash === hashOf(transaction),
    };
  };
  const all = { status: true, account: true, named: true, height: true, history: true };
  assert.deepEqual(await seen(), all);
  const behind = { kind: 'behind', servers: 'sticky', until } as const;
  for (const path of ['status', 'height', 'account', 'history'] as const) {
    network.faults.add({ ...behind, paths: [path] }, { url: network.urls[0] });
    assert.deepEqual(await seen(), { ...all, [path]: false, ...(path === 'account' && { named: false }) });
    assert.equal((await asked(status, 1)).status, 200, 'the other provider is not');
    network.faults.clear();
  }
  network.faults.add({ ...behind, paths: ['status'], servers: 'switching' });
  const turns = [(await asked(status)).status, (await asked(status)).status, (await asked(status)).status];
  assert.deepEqual(turns, [404, 200, 404]);
  network.faults.clear();
  network.faults.add({ ...behind, paths: ['status'], servers: 'random' });
  const throws = new Set<number>();
  for (let time = 0; time < 20; time++) throws.add((await asked(status)).status);
  assert.equal(throws.size, 2);
  network.faults.clear();
  network.faults.add({ kind: 'behind', servers: 'sticky', paths: ['status'], lagMs: 30_000 });
  assert.equal((await asked(status)).status, 404);
  network.ledger.advance(31_000);
  assert.equal((await asked(status)).status, 200);
});

test('threat 42: a cache repeats only not-found answers', async () => {
  const transaction = build();
  const { list } = paths();
  const status = `/transactions/${hashOf(transaction)}`;
  const until = network.ledger.latest.sequence;
  network.faults.add({ kind: 'behind', servers: 'cached', paths: ['status', 'history'], until });
  assert.equal((await asked(status)).status, 404);
  const before = await asked(list);
  await servers[0].submitAsyncTransaction(transaction);
  network.ledger.close();
  assert.equal((await asked(status)).status, 404);
  assert.notDeepEqual((await asked(list)).body, before.body);
  network.faults.clear();
  assert.equal((await asked(status)).status, 200);
});

test('every simulated trouble can start, and requests work again after it ends', async () => {
  for (const trouble of stellarTroubles(network)) {
    if (trouble.name === 'sends dropped until they expire') continue;
    const begun = trouble.begin((_, highest) => Math.min(highest, 30_000));
    await begun.end();
  }
  assert.equal((await asked('/')).body.history_latest_ledger, network.ledger.latest.sequence);
});

test('a submission to a lagging provider gets its response once the provider has ingested the transaction', async () => {
  network.faults.add({ kind: 'lag', ledgers: 2 });
  const transaction = build();
  const answer = servers[0].submitTransaction(transaction, { skipMemoRequiredCheck: true });
  await until('the submission is pending', () => network.ledger.pendingCount > 0, { everyMs: 2 });
  const { sequence } = network.ledger.close();
  network.ledger.close();
  network.ledger.close();
  assert.equal((await answer).ledger, sequence);
});

test('threat 42: submissions are dropped until their time bound has passed', async () => {
  const transaction = build();
  const trouble = stellarTroubles(network).find(({ name }) => name === 'sends dropped until they expire')!;
  const begun = trouble.begin((lowest) => lowest);
  await servers[0].submitAsyncTransaction(transaction);
  await until('the time of the submission has passed', () => begun.over());
  await begun.end();
  assert.equal(begun.met(), 1);
  network.ledger.close();
  assert.ok(network.ledger.latest.closeTime > Number(transaction.timeBounds!.maxTime));
  await assert.rejects(known(0, hashOf(transaction)), NotFoundError);
});

test('threat 44: a waiting transaction is outbid for some ledgers, and is included when there is space again', async () => {
  const trouble = stellarTroubles(network).find(({ name }) => /^ledgers full/.test(name))!;
  const begun = trouble.begin((lowest) => lowest);
  const transaction = build();
  await servers[0].submitAsyncTransaction(transaction);
  for (let ledger = 0; ledger < 4; ledger++) assert.equal(network.ledger.close().transactions.length, 0);
  const stats = (await asked('/fee_stats')).body as { fee_charged: { p80: string } };
  assert.equal(stats.fee_charged.p80, '200');
  assert.deepEqual([begun.over(), begun.met()], [true, 4]);
  await begun.end();
  assert.equal(network.ledger.close().transactions.length, 1);
});

test('threat 41: a late submission is forwarded even after the client has disconnected', async () => {
  const before = await longEnough(400, async (delayMs) => {
    const transaction = build();
    const heldBefore = held();
    const late = network.faults.add({ kind: 'delay', delayMs }, { next: 1, on: 'submit' });
    const giveUp = new AbortController();
    const body = new URLSearchParams({ tx: transaction.toXdr() });
    const url = `${network.urls[0]}/transactions_async`;
    const sending = fetch(url, { method: 'POST', body, signal: giveUp.signal });
    const isGone = sending.then(
      () => false,
      () => true,
    );
    await until('the submission came', () => late.hits > 0, { everyMs: 2 });
    giveUp.abort();
    if (await isGone) return heldBefore;
    // The response came before the sender could disconnect.
    network.ledger.close();
    return undefined;
  });
  await until('it was passed on', () => network.ledger.pendingCount > 0);
  network.ledger.close();
  assert.equal(held(), before + 10_000_000n);
});

test('threat 46: a lying provider reports success for a transaction that is in no ledger or has failed', async () => {
  const never = build();
  network.faults.add({ kind: 'lie', envelopeXdr: never.toXdr() }, { url: network.urls[1] });
  const shown = await known(1, hashOf(never));
  assert.equal(shown.successful, true);
  assert.equal(shown.envelope_xdr, never.toXdr());
  await assert.rejects(known(0, hashOf(never)), NotFoundError);
  network.faults.clear();
  const failing = network.ledger.build(token.treasury, [
    Operation.payment({ destination: customer(), asset: token.asset, amount: '99999999' }),
  ]);
  await servers[0].submitAsyncTransaction(failing);
  network.ledger.close();
  network.faults.add({ kind: 'lie', hash: hashOf(failing) }, { url: network.urls[1] });
  assert.equal((await known(1, hashOf(failing))).successful, true);
  assert.equal((await known(0, hashOf(failing))).successful, false);
  network.faults.add({ kind: 'lie' }, { next: 1 });
  assert.equal((await known(0, 'ab'.repeat(32))).successful, true);
});

test('threat 46: a provider hides an existing transaction', async () => {
  const transaction = build();
  await servers[0].submitAsyncTransaction(transaction);
  network.ledger.close();
  network.faults.add({ kind: 'hide', hash: hashOf(transaction) }, { next: 1 });
  await assert.rejects(known(0, hashOf(transaction)), NotFoundError);
  assert.equal((await known(0, hashOf(transaction))).successful, true);
});

test('errors and delays apply to the requested number of requests, at one provider or both', async () => {
  const broken = network.faults.add({ kind: 'status', status: 429 }, { next: 2, url: network.urls[0] });
  await assert.rejects(servers[0].root(), NetworkError);
  await servers[1].root();
  await assert.rejects(servers[0].root(), NetworkError);
  await servers[0].root();
  assert.equal(broken.hits, 2);
  const slow = network.faults.add({ kind: 'delay', delayMs: 5 });
  await servers[0].root();
  slow.clear();
  await servers[0].root();
  assert.equal(slow.hits, 1);
});
