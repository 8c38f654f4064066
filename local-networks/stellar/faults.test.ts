// The faults a provider can be told to have, seen from the client. Whatever the answer, the ledger stays honest.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BadResponseError,
  Horizon,
  NetworkError,
  NotFoundError,
  Operation,
  TransactionFailedError,
} from '@stellar/stellar-sdk';
import { type RunningStellarLedger, startStellarLedger } from './server.ts';
import type { Token } from './set-up.ts';
import { stellarTroubles } from './troubles.ts';

const hashOf = (transaction: { hash(): Uint8Array }) => Buffer.from(transaction.hash()).toString('hex');

describe('faults of a provider', () => {
  let network: RunningStellarLedger;
  let servers: [Horizon.Server, Horizon.Server];
  let token: Token;

  before(async () => {
    network = await startStellarLedger({ closeEveryMs: 0, submitTimeoutMs: 300 });
    token = network.ledger.setUpToken({ customers: 1 });
    const server = (at: 0 | 1) => new Horizon.Server(network.urls[at], { allowHttp: true });
    servers = [server(0), server(1)];
  });
  afterEach(() => network.faults.clear());
  after(() => network.close());

  const customer = () => token.customers[0]!.publicKey();
  const build = () =>
    network.ledger.build(token.treasury, [
      Operation.payment({ destination: customer(), asset: token.asset, amount: '1' }),
    ]);
  const held = () => network.ledger.balanceOf(customer(), token.asset)!;
  const known = (at: 0 | 1, hash: string) => servers[at].transactions().transaction(hash).call();

  it('threat 42: an answer lost after acceptance: it lands, and the same bytes get the original answer', async () => {
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

  it('threat 42: a 504 although it lands', async () => {
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

  it('threat 42: a ledger that does not close in time is a 504 as well', async () => {
    const transaction = build();
    await assert.rejects(servers[0].submitTransaction(transaction), BadResponseError);
    const rival = network.ledger.build(token.treasury, [Operation.bumpSequence({ bumpTo: '1' })]);
    await assert.rejects(servers[0].submitTransaction(rival), BadResponseError);
    network.ledger.close();
    assert.equal((await known(1, hashOf(transaction))).successful, true);
    await assert.rejects(known(1, hashOf(rival)), NotFoundError);
  });

  it('a dropped transaction is accepted and never seen; the same bytes are taken again', async () => {
    const transaction = build();
    network.faults.add({ kind: 'drop' }, { next: 1 });
    const answer = await servers[0].submitAsyncTransaction(transaction);
    assert.equal(answer.tx_status, 'PENDING');
    assert.equal(network.ledger.close().transactions.length, 0);
    assert.equal((await servers[0].submitAsyncTransaction(transaction)).tx_status, 'PENDING');
    assert.equal(network.ledger.close().transactions.length, 1);
  });

  it('a connection cut before acceptance leaves nothing behind', async () => {
    const transaction = build();
    network.faults.add({ kind: 'cut' }, { url: network.urls[0], on: 'submit' });
    await assert.rejects(servers[0].submitTransaction(transaction));
    assert.equal(network.ledger.pendingCount, 0);
    assert.equal((await servers[1].submitAsyncTransaction(transaction)).tx_status, 'PENDING');
    network.ledger.close();
  });

  it('threat 42: a lagging provider knows neither the transaction nor the sequence; the other does', async () => {
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
    // Sent again there, the core has long applied it: bad_seq does not mean that it is not in a ledger.
    await assert.rejects(servers[1].submitTransaction(transaction), (error) => {
      assert.ok(error instanceof TransactionFailedError);
      return error.getResultCodes().transaction === 'tx_bad_seq';
    });
    assert.equal((await known(0, hashOf(transaction))).successful, true);
    network.ledger.close();
    assert.equal((await known(1, hashOf(transaction))).successful, true);
  });

  it('a submission to a lagging provider is answered once it has ingested it', async () => {
    network.faults.add({ kind: 'lag', ledgers: 2 });
    const transaction = build();
    const answer = servers[0].submitTransaction(transaction, { skipMemoRequiredCheck: true });
    for (let poll = 0; network.ledger.pendingCount === 0 && poll < 500; poll++) await sleep(2);
    const { sequence } = network.ledger.close();
    network.ledger.close();
    network.ledger.close();
    assert.equal((await answer).ledger, sequence);
  });

  it('threat 42: submissions are dropped until their time has passed', async () => {
    const transaction = build();
    const trouble = stellarTroubles(network).find(({ name }) => name === 'sends dropped until they expire')!;
    const begun = trouble.begin((lowest) => lowest);
    await servers[0].submitAsyncTransaction(transaction);
    while (!begun.over()) await sleep(5);
    await begun.end();
    assert.equal(begun.met(), 1);
    network.ledger.close();
    assert.ok(network.ledger.latest.closeTime > Number(transaction.timeBounds!.maxTime));
    await assert.rejects(known(0, hashOf(transaction)), NotFoundError);
  });

  it('threat 41: a late submission is passed on also when whoever sent it is gone', async () => {
    const transaction = build();
    const before = held();
    const late = network.faults.add({ kind: 'delay', delayMs: 2_000 }, { next: 1, on: 'submit' });
    const giveUp = new AbortController();
    const body = new URLSearchParams({ tx: transaction.toXdr() });
    const url = `${network.urls[0]}/transactions_async`;
    const sending = fetch(url, { method: 'POST', body, signal: giveUp.signal });
    while (late.hits === 0) await sleep(5);
    giveUp.abort();
    await assert.rejects(sending);
    while (network.ledger.pendingCount === 0) await sleep(5);
    network.ledger.close();
    assert.equal(held(), before + 10_000_000n);
  });

  it('threat 46: a liar says that a transaction succeeded which is in no ledger, or failed in one', async () => {
    const never = build();
    network.faults.add({ kind: 'lie', envelopeXdr: never.toXdr() }, { url: network.urls[1] });
    const told = await known(1, hashOf(never));
    assert.equal(told.successful, true);
    assert.equal(told.envelope_xdr, never.toXdr());
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

  it('threat 46: a provider hides a transaction that is there', async () => {
    const transaction = build();
    await servers[0].submitAsyncTransaction(transaction);
    network.ledger.close();
    network.faults.add({ kind: 'hide', hash: hashOf(transaction) }, { next: 1 });
    await assert.rejects(known(0, hashOf(transaction)), NotFoundError);
    assert.equal((await known(0, hashOf(transaction))).successful, true);
  });

  it('errors and delays come for as many requests as asked for, at one provider or both', async () => {
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
});
