// Tests which payments are signed, in which transaction, and why all other payments wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account, Keypair, MuxedAccount, Transaction } from '@stellar/stellar-sdk/base';
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
} from '../../../../../test/contract/stellar/stellar-fixtures.ts';
import { memorySigner } from '../../../../../test/support/networks/memory-signer.ts';
import type { Payment, SigningResult } from '../../../../ports/networks/network-payer.ts';
import { type Signer, type SigningRefusal, SigningRefused } from '../../../../ports/signer.ts';
import { makeAsk } from './ask.ts';
import { makePrepare } from './prepare.ts';

const transactionOf = ({ envelopes }: SigningResult) =>
  new Transaction(JSON.parse(envelopes[0]!.payload).xdr, PASSPHRASE);
const obstacles = ({ waiting }: SigningResult) => waiting.map(({ obstacle }) => obstacle);
const idsOf = (payments: readonly Payment[]) => payments.map(({ orderId }) => orderId);

function stage(changes: Parameters<typeof makeChain>[1] = {}, signer?: Signer) {
  const view = makeView();
  const chain = makeChain([view], changes, signer);
  const { prepare } = makePrepare(chain);
  return { view, chain, prepare, wallet: (options = {}) => makeWallet([view], options) };
}

test('payments share one signed transaction with the next sequence number, an expiry time and no memo', async () => {
  const { prepare, wallet } = stage();
  const payments = [paymentTo(wallet()), paymentTo(wallet(), { amountMinor: 15_000_000n })];
  const signed = await prepare(payments, NO_TURN);
  const transaction = transactionOf(signed);
  const [envelope] = signed.envelopes;
  assert.deepEqual(signed.waiting, []);
  assert.deepEqual(envelope!.orderIds, idsOf(payments));
  assert.equal(envelope!.sequence, '42');
  assert.equal(envelope!.hash, Buffer.from(transaction.hash()).toString('hex'));
  assert.equal(envelope!.bound, `${START_MS + 60_000}`);
  assert.equal(transaction.memo.type, 'none');
  assert.equal(transaction.fee, '200');
  const paid = transaction.operations.map((each) => (each.type === 'payment' ? each.amount : each.type));
  assert.deepEqual(paid, ['0.0000010', '1.5000000']);
  const signature = transaction.signatures[0]!.signature;
  assert.ok(Keypair.fromPublicKey(TREASURY).verify(transaction.hash(), signature.toBytes()));
});

test('the expiry time follows the ledger if our clock is behind it', async () => {
  const { prepare, wallet, chain } = stage();
  chain.time.nowMs = START_MS - 3_600_000;
  const { envelopes } = await prepare([paymentTo(wallet())], NO_TURN);
  assert.equal(envelopes[0]!.bound, `${START_MS + 60_000}`);
});

test('threat 43: nothing is signed while a transaction is open or the provider has not seen the last one', async () => {
  const { prepare, wallet, view } = stage();
  const payments = [paymentTo(wallet()), paymentTo(wallet())];
  const alive = await prepare(payments, { ...NO_TURN, lastSequence: '42', live: 1 });
  assert.deepEqual(obstacles(alive), ['turn_taken', 'turn_taken']);
  assert.deepEqual(view.asked, []);
  assert.deepEqual(obstacles(await prepare(payments, { ...NO_TURN, lastSequence: '42' })), [
    'turn_taken',
    'turn_taken',
  ]);
  assert.equal((await prepare(payments, { ...NO_TURN, lastSequence: '41' })).envelopes.length, 1);
});

test('a payment that must be alone gets its own transaction and does not block the others', async () => {
  const { prepare, wallet } = stage({ batch: 2 });
  const alone = paymentTo(wallet(), { alone: true });
  const others = [paymentTo(wallet()), paymentTo(wallet()), paymentTo(wallet())];
  const first = await prepare([alone, ...others], NO_TURN);
  assert.deepEqual(first.envelopes[0]!.orderIds, [alone.orderId]);
  assert.deepEqual(obstacles(first), ['turn_taken', 'turn_taken', 'turn_taken']);
  const second = await prepare([others[0]!, others[1]!, alone, others[2]!], NO_TURN);
  assert.deepEqual(second.envelopes[0]!.orderIds, idsOf(others.slice(0, 2)));
});

test('a transaction has at most 100 operations, whatever the settings contain', async () => {
  const { prepare, wallet } = stage({ batch: 500 });
  const to = wallet();
  const payments = Array.from({ length: 120 }, () => paymentTo(to));
  const signed = await prepare(payments, NO_TURN);
  assert.equal(signed.envelopes[0]!.orderIds.length, 100);
  assert.equal(signed.waiting.length, 20);
});

test('threat 47: payments are made in order until tokens or coin run out, and never in part', async () => {
  const { prepare, wallet, view } = stage();
  const fill = (tokenMinor: bigint, nativeMinor: bigint) =>
    view.at.set(`/accounts/${TREASURY}`, accountFields(TREASURY, { tokenMinor, nativeMinor }));
  const payments = [60n, 50n, 10n].map((amountMinor) => paymentTo(wallet(), { amountMinor }));
  fill(100n, 10n ** 9n);
  const low = await prepare(payments, NO_TURN);
  assert.deepEqual(low.envelopes[0]!.orderIds, [payments[0]!.orderId]);
  assert.deepEqual(obstacles(low), ['treasury_low', 'treasury_low']);
  const promised = await prepare(payments, { ...NO_TURN, inFlightMinor: 41n });
  assert.deepEqual(obstacles(promised), ['treasury_low', 'treasury_low', 'treasury_low']);
  // Three base reserves are locked: two for the account, one for its trustline.
  fill(1_000n, 15_000_000n + 200n);
  const poor = await prepare(payments, NO_TURN);
  assert.equal(poor.envelopes[0]!.orderIds.length, 2);
  assert.deepEqual(obstacles(poor), ['native_low']);
});

test('a recipient that cannot be paid is left out, and the others are paid', async () => {
  const { prepare, wallet } = stage();
  const missing = Keypair.random().publicKey();
  const full = wallet({ limitMinor: 15n });
  const bad = [
    paymentTo(missing),
    paymentTo(wallet({ trusts: false })),
    paymentTo(wallet({ authorised: false })),
    paymentTo(wallet({ memoRequired: true })),
    paymentTo('no address'),
    paymentTo(wallet(), { amountMinor: 0n }),
  ];
  const twice = [paymentTo(full), paymentTo(full)];
  const good = paymentTo(wallet());
  const signed = await prepare([...bad, ...twice, good], NO_TURN);
  assert.deepEqual(signed.envelopes[0]!.orderIds, [twice[0]!.orderId, good.orderId]);
  assert.deepEqual(
    signed.waiting.map(({ orderId }) => orderId),
    idsOf([...bad, twice[1]!]),
  );
});

test('threat 38: a muxed address is paid with its id, even if the account requires a memo', async () => {
  const { prepare, wallet } = stage();
  const muxed = toMuxed(wallet({ memoRequired: true }), '77');
  const [operation] = transactionOf(await prepare([paymentTo(muxed)], NO_TURN)).operations;
  assert.ok(operation?.type === 'payment' && operation.destination === muxed);
});

test('if the settings allow it, a wallet without a trustline gets a claimable balance', async () => {
  const { prepare, wallet, view, chain } = stage({ withoutTrustline: 'claimable_balance' });
  const [missing, without] = [Keypair.random().publicKey(), wallet({ trusts: false })];
  const muxed = paymentTo(toMuxed(without, '5'));
  const payments = [paymentTo(missing), paymentTo(without), muxed];
  const signed = await prepare(payments, NO_TURN);
  assert.deepEqual(signed.envelopes[0]!.orderIds, idsOf(payments.slice(0, 2)));
  assert.deepEqual(
    signed.waiting.map(({ orderId }) => orderId),
    [muxed.orderId],
  );
  const [operation] = transactionOf(signed).operations;
  assert.ok(operation?.type === 'createClaimableBalance');
  assert.deepEqual(
    operation.claimants.map(({ destination, predicate }) => [destination, predicate.type]),
    [
      [missing, 'claimPredicateUnconditional'],
      [TREASURY, 'claimPredicateNot'],
    ],
  );
  const { hash } = signed.envelopes[0]!;
  const landed = { hash, successful: true, ledger: 101, created_at: '', fee_charged: '200' };
  view.at.set(`/transactions/${hash}`, landed);
  const status = await makeAsk(chain).ask({ versions: signed.envelopes, orderIds: [] });
  const laidDown = status.kind === 'final' ? (status.evidence.claimableBalances as { index: number }[]) : [];
  assert.deepEqual(
    laidDown.map(({ index }) => index),
    [0, 1],
  );
});

test('threat 49: an order over a limit delays no other order; a stopped signer signs nothing', async () => {
  const requests: number[] = [];
  const refusing = (refuses: (sum: bigint) => SigningRefusal | undefined): Signer => ({
    ...memorySigner(),
    sign: async (request) => {
      requests.push(request.spends.length);
      const code = refuses(request.spends.reduce((sum, { amountMinor }) => sum + amountMinor, 0n));
      if (code !== undefined) throw new SigningRefused(code, `no: ${code}`);
      return memorySigner().sign(request);
    },
  });
  const capped = stage(
    {},
    refusing((sum) => (sum > 100n ? 'over_cap_per_transaction' : undefined)),
  );
  const amounts = [500n, 40n, 50n, 60n];
  const payments = amounts.map((amountMinor) => paymentTo(capped.wallet(), { amountMinor }));
  const signed = await capped.prepare(payments, NO_TURN);
  assert.deepEqual(signed.envelopes[0]!.orderIds, [payments[1]!.orderId]);
  assert.deepEqual(obstacles(signed), ['signing_refused', 'turn_taken', 'turn_taken']);
  requests.length = 0;
  const stopped = stage(
    {},
    refusing(() => 'stopped'),
  );
  const none = await stopped.prepare([paymentTo(stopped.wallet()), paymentTo(stopped.wallet())], NO_TURN);
  assert.deepEqual(obstacles(none), ['signing_refused', 'signing_refused']);
  assert.deepEqual(requests, [2], 'it is asked once');
});

test('a signature that is not from the treasury is refused', async () => {
  const signer = { ...memorySigner(), sign: async () => new Uint8Array(64) };
  const { prepare, wallet } = stage({}, signer);
  await assert.rejects(prepare([paymentTo(wallet())], NO_TURN), /not the treasury's/);
});

test('all payments wait while no provider responds', async () => {
  const { prepare, wallet, view } = stage();
  view.down = true;
  assert.deepEqual(obstacles(await prepare([paymentTo(wallet())], NO_TURN)), ['network_unreachable']);
});

test('threat 46: a server whose last ledger is too old or in the future is not used for signing, so another server is queried', async () => {
  for (const closedAtMs of [START_MS - 601_000, Date.parse('2100-01-01T00:00:00Z')]) {
    const views = [makeView({ closedAtMs }), makeView()];
    const payment = paymentTo(makeWallet(views));
    const { envelopes } = await makePrepare(makeChain(views)).prepare([payment], NO_TURN);
    assert.equal(envelopes[0]!.bound, `${START_MS + 60_000}`);
    const alone = await makePrepare(makeChain([views[0]!])).prepare([payment], NO_TURN);
    assert.deepEqual([alone.envelopes, obstacles(alone)], [[], ['network_unreachable']]);
  }
});

test('threat 47: payments wait, and none is signed, while the treasury is not authorised or has no trustline', async () => {
  const { prepare, wallet, view } = stage();
  const line = { tokenMinor: 10n ** 12n, memoRequired: true };
  const payments = [paymentTo(wallet()), paymentTo(wallet())];
  const at = `/accounts/${TREASURY}`;
  for (const options of [{ ...line, authorised: false }, { trusts: false }]) {
    view.at.set(at, accountFields(TREASURY, options));
    const signed = await prepare(payments, NO_TURN);
    assert.deepEqual([signed.envelopes, obstacles(signed)], [[], ['treasury_low', 'treasury_low']]);
  }
  view.at.set(at, accountFields(TREASURY, line));
  assert.equal((await prepare(payments, NO_TURN)).envelopes.length, 1);
});

function toMuxed(account: string, id: string): string {
  return new MuxedAccount(new Account(account, '0'), id).accountId();
}

test('threat 42: nothing is signed if the server does not name the ledger of the sequence number', async () => {
  const { prepare, wallet, view } = stage();
  view.stated = 97;
  const { envelopes } = await prepare([paymentTo(wallet())], NO_TURN);
  assert.equal(JSON.parse(envelopes[0]!.payload).afterLedger, 97, 'and not the height from another answer');
  view.stated = null;
  const signed = await prepare([paymentTo(wallet())], NO_TURN);
  assert.deepEqual(obstacles(signed), ['network_unreachable']);
  assert.match(signed.waiting[0]!.detail, /Latest-Ledger is missing/);
});

test('threat 47: a frozen treasury is reported as frozen, not as empty', async () => {
  const { prepare, wallet, view } = stage();
  const set = (options: Parameters<typeof accountFields>[1]) =>
    view.at.set(`/accounts/${TREASURY}`, accountFields(TREASURY, options));
  const detail = async () => (await prepare([paymentTo(wallet())], NO_TURN)).waiting[0]!.detail;
  set({ tokenMinor: 1_000n, authorised: false });
  assert.match(await detail(), /the issuer no longer authorises the treasury .* frozen/);
  set({ trusts: false });
  assert.match(await detail(), /no trustline/);
  set({ tokenMinor: 1n });
  assert.match(await detail(), /does not hold enough of the token/);
});
