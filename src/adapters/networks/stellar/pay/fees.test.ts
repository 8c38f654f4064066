// Tests that the offered fee follows the market fee, up to a limit. A payment whose fee is too low is sent again inside a fee
// bump, which makes the same payment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FeeBumpTransaction, TransactionBuilder } from '@stellar/stellar-sdk/base';
import {
  accountFields,
  makeChain,
  makeView,
  makeWallet,
  NO_TURN,
  PASSPHRASE,
  paymentTo,
  START_MS,
  TREASURY,
  type View,
} from '../../../../../test/contract/stellar/stellar-fixtures.ts';
import type { SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import { makeAsk } from './ask.ts';
import { firstBid, makeFeeBump, nextBid } from './fees.ts';
import { makePrepare } from './prepare.ts';

const BOUNDS = { feePerOperation: 100n, maxFeePerOperation: 10_000n };

test('the first offer is the usual fee, or twice the market fee if the market is higher, and never above the limit', () => {
  assert.equal(firstBid(BOUNDS, 0n), 100n);
  assert.equal(firstBid(BOUNDS, 100n), 100n);
  assert.equal(firstBid(BOUNDS, 101n), 202n);
  assert.equal(firstBid(BOUNDS, 9_000n), 10_000n);
});

test('the next offer is at least ten times the last one, within the limit, and only if the last one was too low', () => {
  assert.equal(nextBid(BOUNDS, 100n, 100n), undefined);
  assert.equal(nextBid(BOUNDS, 100n, 101n), 1_000n);
  assert.equal(nextBid(BOUNDS, 100n, 2_000n), 4_000n);
  assert.equal(nextBid(BOUNDS, 100n, 9_000n), 10_000n);
  assert.equal(nextBid(BOUNDS, 1_000n, 9_000n), 10_000n);
  assert.equal(nextBid(BOUNDS, 1_001n, 9_000n), undefined);
});

const charge = (view: View, fee: number) => view.at.set('/fee_stats', { fee_charged: { p80: `${fee}` } });
const decoded = ({ payload }: SignedTransaction) =>
  TransactionBuilder.fromXdr(JSON.parse(payload).xdr, PASSPHRASE);

async function stage() {
  const view = makeView();
  const chain = makeChain([view]);
  const prepare = () => makePrepare(chain).prepare([paymentTo(makeWallet([view]))], NO_TURN);
  const [first] = (await prepare()).envelopes;
  const envelope = { versions: [first!] as SignedTransaction[], orderIds: first!.orderIds };
  const ask = () => makeAsk(chain).ask(envelope);
  const replace = () => makeFeeBump(chain).replace(envelope);
  return { view, chain, prepare, first: first!, envelope, ask, replace };
}

function pass(view: View, ledgers: number, atMs = START_MS + 10_000): void {
  view.latest += ledgers;
  view.closedAtMs = atMs;
}

test('a higher market fee raises the next offer, and the treasury must be able to pay it', async () => {
  const { view, prepare, first } = await stage();
  assert.equal(decoded(first).fee, '100');
  charge(view, 300);
  assert.equal(decoded((await prepare()).envelopes[0]!).fee, '600');
  // Three base reserves are locked, and the fee is one stroop short.
  view.at.set(
    `/accounts/${TREASURY}`,
    accountFields(TREASURY, { tokenMinor: 100n, nativeMinor: 15_000_599n }),
  );
  assert.deepEqual(
    (await prepare()).waiting.map(({ obstacle }) => obstacle),
    ['native_low'],
  );
  view.at.delete('/fee_stats');
  assert.equal(decoded((await prepare()).envelopes[0]!).fee, '100', 'without statistics the usual');
});

test('a payment is stuck only if its fee is the only reason why it waits', async () => {
  const { view, ask } = await stage();
  charge(view, 500);
  pass(view, 2);
  assert.equal((await ask()).kind, 'pending', 'two ledgers are soon passed');
  pass(view, 1);
  assert.equal((await ask()).kind, 'stuck');
  charge(view, 100);
  assert.equal((await ask()).kind, 'pending', 'it offers enough');
  charge(view, 500);
  view.stated = null;
  assert.equal((await ask()).kind, 'unknown', 'nothing shows that its sequence number is unused');
  delete view.stated;
  pass(view, 1, START_MS + 45_000);
  assert.equal((await ask()).kind, 'pending', 'it is about to expire');
});

test('threat 44: a stuck payment gets a fee bump of the same transaction, with the same sequence number and expiry', async () => {
  const { view, first, envelope, ask, replace, chain } = await stage();
  charge(view, 500);
  pass(view, 3);
  const dearer = (await replace())!;
  const outer = decoded(dearer);
  assert.ok(outer instanceof FeeBumpTransaction);
  assert.equal(Buffer.from(outer.innerTransaction.hash()).toString('hex'), first.hash);
  assert.deepEqual([outer.feeSource, outer.fee], [TREASURY, '2000']);
  assert.deepEqual(
    [dearer.source, dearer.sequence, dearer.bound],
    [first.source, first.sequence, first.bound],
  );
  assert.notEqual(dearer.hash, first.hash);
  envelope.versions.push(dearer);
  assert.equal((await ask()).kind, 'pending', 'it offers enough now');
  charge(view, 1_500);
  assert.equal((await ask()).kind, 'stuck');
  envelope.versions.push((await replace())!);
  assert.equal((decoded(envelope.versions[2]!) as FeeBumpTransaction).fee, '20000');
  charge(view, 50_000);
  assert.equal((await ask()).kind, 'pending', 'there is no more to offer');
  assert.equal(await replace(), undefined);
  const landed = {
    hash: first.hash,
    successful: true,
    ledger: 104,
    created_at: '2026-11-14T10:00:20Z',
    fee_account: TREASURY,
    fee_charged: '1200',
    fee_bump_transaction: { hash: dearer.hash },
    inner_transaction: { hash: first.hash },
  };
  view.at.set(`/transactions/${first.hash}`, landed);
  const status = await ask();
  assert.ok(status.kind === 'final');
  assert.deepEqual([status.hash, status.cost?.feeMinor], [dearer.hash, 1_200n]);
  assert.deepEqual(chain.troubles, []);
});

test('threat 42: a payment with fee bumps is dead only after it expires, and is unknown if its versions belong to two transactions', async () => {
  const { view, envelope, ask, replace, prepare } = await stage();
  charge(view, 500);
  pass(view, 3);
  envelope.versions.push((await replace())!);
  pass(view, 20, START_MS + 61_000);
  assert.equal((await ask()).kind, 'dead');
  view.at.set(`/accounts/${TREASURY}`, accountFields(TREASURY, { tokenMinor: 100n, sequence: 42n }));
  envelope.versions.push((await prepare()).envelopes[0]!);
  assert.deepEqual(await ask(), {
    kind: 'unknown',
    reason: 'the stored versions do not belong to one transaction',
  });
});

test('a fee bump is signed if the balance covers exactly its fee, but not if one stroop is missing', async () => {
  const { view, replace, chain } = await stage();
  charge(view, 500);
  const holds = (nativeMinor: bigint) =>
    view.at.set(`/accounts/${TREASURY}`, accountFields(TREASURY, { nativeMinor }));
  holds(15_002_000n);
  assert.notEqual(await replace(), undefined);
  holds(15_001_999n);
  assert.equal(await replace(), undefined);
  assert.deepEqual(chain.troubles, []);
  view.at.delete('/fee_stats');
  assert.equal(await replace(), undefined);
  assert.match(chain.troubles.join(), /its fee could not be raised/);
});
