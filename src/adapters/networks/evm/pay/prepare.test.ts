// Tests that nonces are consecutive, even if some payments are refused. A payment that cannot be sent waits with a reason, and
// no error is thrown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fakeProvider, TREASURY } from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  DISPERSE,
  NO_TURN,
  openOn,
  payOne,
  TOKEN,
  WALLETS,
} from '../../../../../test/support/networks/evm-providers.ts';
import { memorySigner } from '../../../../../test/support/networks/memory-signer.ts';
import type { SignedTransaction, SigningResult } from '../../../../ports/networks/network-payer.ts';
import { type Signer, SigningRefused, type SigningRequest } from '../../../../ports/signer.ts';
import { offerFees, outbidFees } from './fees.ts';
import { decodeSignedBytes, hashSignedBytes, readPayload } from './payload.ts';

const GWEI = 10n ** 9n;
const both = () => [fakeProvider(), fakeProvider()];
const three = () => [10n, 900_000n, 20n].map((amount, index) => payOne(WALLETS[index]!, amount));
const placesOf = ({ envelopes }: SigningResult) => envelopes.map(({ sequence }) => Number(sequence));
const obstaclesOf = ({ waiting }: SigningResult) => waiting.map(({ obstacle }) => obstacle);

function refusing(refuses: (request: SigningRequest) => SigningRefused | Error | undefined) {
  const requests: SigningRequest[] = [];
  const signer: Signer = {
    ...memorySigner(),
    sign: (request) => {
      requests.push(request);
      const refusal = refuses(request);
      return refusal === undefined ? memorySigner().sign(request) : Promise.reject(refusal);
    },
  };
  return { signer, requests };
}

test('several payments share a transaction, a payment alone is a plain transfer, and the signer gets the amounts', async () => {
  const { signer, requests } = refusing(() => undefined);
  const { network } = await openOn(both(), { signer });
  const signed = await network.prepare([...three(), payOne(WALLETS[3]!, 7n, { alone: true })], NO_TURN);
  assert.deepEqual(placesOf(signed), [7, 8]);
  assert.deepEqual(
    requests.map(({ spends }) => spends.map(({ amountMinor }) => amountMinor)),
    [[10n, 900_000n, 20n], [7n]],
  );
  const [batch, plain] = signed.envelopes.map(({ payload }) => decodeSignedBytes(readPayload(payload).raw));
  assert.deepEqual([batch!.to, plain!.to], [DISPERSE, TOKEN]);
  for (const { hash, payload, bound, source } of signed.envelopes) {
    assert.equal(hash, hashSignedBytes(readPayload(payload).raw));
    assert.deepEqual([bound, source.toLowerCase()], [null, TREASURY]);
  }
});

test('threat 43: the next nonce comes after the stored one and after the one on the chain', async () => {
  const { network } = await openOn(both());
  const at = async (lastSequence: string | null) =>
    placesOf(await network.prepare(three(), { lastSequence, live: 0, inFlightMinor: 0n }))[0];
  assert.deepEqual([await at(null), await at('3'), await at('6'), await at('41')], [7, 7, 7, 42]);
});

test('threat 44: a higher nonce that only one provider reports is not used', async () => {
  const [liar, honest] = [fakeProvider({ nonce: 50 }), fakeProvider()];
  const { network } = await openOn([liar, honest]);
  for (const lastSequence of [null, '6'])
    assert.deepEqual(obstaclesOf(await network.prepare(three(), { ...NO_TURN, lastSequence })), [
      'network_unreachable',
      'network_unreachable',
      'network_unreachable',
    ]);
  honest.nonce = 50;
  assert.deepEqual(placesOf(await network.prepare(three(), { ...NO_TURN, lastSequence: '6' })), [50]);
});

test('threat 49: a refusal for one order delays only that order and leaves no gap in the nonces', async () => {
  const { signer } = refusing(({ spends }) =>
    spends.some(({ amountMinor }) => amountMinor > 1_000n)
      ? new SigningRefused('over_cap_per_transaction', 'too much for one')
      : undefined,
  );
  const { network } = await openOn(both(), { signer });
  const signed = await network.prepare(three(), NO_TURN);
  assert.deepEqual(placesOf(signed), [7, 8]);
  assert.deepEqual(signed.waiting, [
    { orderId: three()[1]!.orderId, obstacle: 'signing_refused', detail: 'too much for one' },
  ]);
});

test('a stopped or failing signer gets only one request', async () => {
  for (const failure of [new SigningRefused('stopped', 'stopped'), new Error('no route')]) {
    const { signer, requests } = refusing(() => failure);
    const { network } = await openOn(both(), { signer });
    const payments = [...three(), payOne(WALLETS[3]!, 7n, { alone: true })];
    const signed = await network.prepare(payments, NO_TURN);
    assert.deepEqual([signed.envelopes.length, requests.length], [0, 1]);
    assert.deepEqual(
      obstaclesOf(signed),
      payments.map(() => 'signing_refused'),
    );
  }
});

test('a signature by another key is not used', async () => {
  const { network, troubles } = await openOn(both(), {
    signer: { ...memorySigner(), sign: (request) => memorySigner('another').sign(request) },
  });
  const signed = await network.prepare(three(), NO_TURN);
  assert.deepEqual([signed.envelopes.length, obstaclesOf(signed)[0]], [0, 'signing_refused']);
  assert.match(`${troubles.at(-1)!.detail.error}`, /did not sign with the key of the treasury/);
});

test('threat 47: payments are made in the given order until the treasury is too low, and never in part', async () => {
  const providers = [fakeProvider({ tokenMinor: 1_000_035n }), fakeProvider({ tokenMinor: 1_000_035n })];
  const { network } = await openOn(providers);
  const turn = { lastSequence: '6', live: 1, inFlightMinor: 999_990n };
  const signed = await network.prepare(three(), turn);
  assert.deepEqual(
    signed.envelopes.flatMap(({ orderIds }) => orderIds),
    [three()[0]!.orderId],
  );
  assert.deepEqual(obstaclesOf(signed), ['treasury_low', 'treasury_low']);
});

test('every payment waits if the coin for fees is low, fees are above the limit, the pool is full or no provider responds', async () => {
  const cases = [
    [{ nativeMinor: 1_000n }, NO_TURN, 'native_low'],
    [{ baseFee: 600n * GWEI }, NO_TURN, 'native_low'],
    [{}, { lastSequence: '40', live: 16, inFlightMinor: 0n }, 'turn_taken'],
    [{ down: true }, NO_TURN, 'network_unreachable'],
  ] as const;
  for (const [changes, turn, obstacle] of cases) {
    const providers = both();
    const { network } = await openOn(providers);
    for (const each of providers) Object.assign(each, changes);
    const signed = await network.prepare(three(), turn);
    assert.deepEqual([signed.envelopes.length, ...new Set(obstaclesOf(signed))], [0, obstacle]);
  }
});

test('without the allowance, payments are sent one by one, and the log tells the operator what to do', async () => {
  const providers = both();
  const { network, troubles } = await openOn(providers);
  for (const each of providers) each.allowedMinor = 5n;
  const signed = await network.prepare(three(), NO_TURN);
  await network.prepare(three(), NO_TURN);
  assert.deepEqual(placesOf(signed), [7, 8, 9]);
  assert.equal(troubles.filter(({ message }) => /approve the contract at the token/.test(message)).length, 1);
});

test('fees are never above the limit, and a replacement offers at least an eighth more', () => {
  const fee = fc.bigInt({ min: 1n, max: 10n ** 13n });
  fc.assert(
    fc.property(fee, fee, fee, fee, fee, (baseFee, tip, cap, oldFee, oldTip) => {
      const market = { baseFee, tip };
      const first = offerFees(market, cap);
      assert.equal(first === undefined, baseFee + tip > cap);
      if (first !== undefined) {
        assert.ok(first.maxFeePerGas <= cap && first.maxFeePerGas >= baseFee + tip);
        assert.ok(first.maxPriorityFeePerGas <= first.maxFeePerGas);
      }
      const old = { maxFeePerGas: oldFee, maxPriorityFeePerGas: oldTip < oldFee ? oldTip : oldFee };
      const next = outbidFees(old, market, cap);
      if (next === undefined) return;
      assert.ok(next.maxFeePerGas <= cap && next.maxPriorityFeePerGas <= next.maxFeePerGas);
      assert.ok(next.maxFeePerGas * 8n >= old.maxFeePerGas * 9n);
      assert.ok(next.maxPriorityFeePerGas * 8n >= old.maxPriorityFeePerGas * 9n);
    }),
  );
});

test('no replacement is made above the fee limit or while no provider responds', async () => {
  const providers = both();
  const { network } = await openOn(providers, { settings: { maxFeePerGas: 3n * GWEI } });
  const { envelopes } = await network.prepare([payOne(WALLETS[0]!, 5n)], NO_TURN);
  const envelope = { versions: envelopes, orderIds: envelopes[0]!.orderIds };
  for (const each of providers) each.baseFee = 5n * GWEI;
  assert.equal(await network.replace(envelope), undefined);
  assert.equal(await network.cancel(envelope), undefined);
  for (const each of providers) each.down = true;
  assert.equal(await network.replace(envelope), undefined);
});

test('threat 44: a fee that meets the market is not raised repeatedly; a fee below the market is raised once above it', async () => {
  const providers = both();
  const setBaseFee = (gwei: bigint) => {
    for (const each of providers) each.baseFee = gwei * GWEI;
  };
  setBaseFee(50n);
  const { network, pass } = await openOn(providers);
  const { envelopes } = await network.prepare([payOne(WALLETS[0]!, 5n)], NO_TURN);
  const versions: SignedTransaction[] = [...envelopes];
  const envelope = () => ({ versions, orderIds: envelopes[0]!.orderIds });
  const replaced = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      pass(61_000);
      const next = await network.replace(envelope());
      if (next !== undefined && !versions.some(({ hash }) => hash === next.hash)) versions.push(next);
    }
    return versions.length;
  };
  assert.equal(await replaced(9), 1, 'it offers twice the base fee already');
  assert.equal(
    (await network.replace(envelope()))?.hash,
    versions[0]!.hash,
    'the same bytes are offered again',
  );
  setBaseFee(105n);
  assert.equal(await replaced(9), 2);
  assert.equal(await replaced(3), 3, 'after ten times as long something must be wrong with the price');
  setBaseFee(50n);
  assert.notEqual(
    (await network.cancel(envelope()))?.hash,
    versions.at(-1)!.hash,
    'a cancellation has to outbid',
  );
});
