// Tests how a network is opened. It opens only if the chain, the token and the contracts match its settings. A wallet is
// refused only if the wallet itself is the cause. The outcome of a broadcast is unknown until a provider has the hash. Messages
// never contain a secret.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import {
  type FakeProvider,
  fakeProvider,
  START_MS,
} from '../../../../test/support/networks/evm-fake-provider.ts';
import {
  DISPERSE,
  FACTORY,
  happens,
  NO_TURN,
  OURS,
  openOn,
  payOne,
  TOKEN,
  WALLETS,
} from '../../../../test/support/networks/evm-providers.ts';
import { ProviderFailure } from './rpc/answers.ts';

const [WALLET] = WALLETS as [Hex];

test('the service refuses to start, with a message for the operator, if the chain does not match the settings', async () => {
  const cases: [Partial<FakeProvider>, RegExp][] = [
    [
      { chainId: 1 },
      /^Polygon: the provider one\.example is not usable: it is on the chain 1, but the settings say 137\.$/,
    ],
    [{ decimals: 18 }, /^Polygon: the token at 0x7070\w+ has 18 decimals, but the settings say 6\.$/],
    [
      { factoryTreasury: WALLET },
      /^Polygon: the forwarder factory at \w+ sends to \w+, but the treasury is \w+\.$/,
    ],
    [{ down: true }, /^Polygon: no provider answers/],
  ];
  for (const [changes, message] of cases) {
    await assert.rejects(
      openOn([fakeProvider(changes), fakeProvider(changes)]),
      ({ message: said }: Error) => {
        assert.match(said, message);
        return !/secret/.test(said);
      },
    );
  }
});

test('a provider without the block tag "finalized" is refused, and the message names it', async () => {
  const without = (error: Error | null) => ({
    before: (method: string) => {
      if (method === 'block finalized' && error !== null) throw error;
    },
  });
  const unknown = new ProviderFailure('eth_getBlockByNumber: error -32602', true, { code: -32602 });
  const refused =
    /^Polygon: two\.example does not know the block tag "finalized" \(eth_getBlockByNumber: error -32602\): nothing would ever become final/;
  await assert.rejects(openOn([fakeProvider(), fakeProvider(without(unknown))]), { message: refused });
  await assert.rejects(openOn([fakeProvider({ finalized: 10n ** 6n })]), {
    message: /^Polygon: one\.example has no final block/,
  });
  const busy = new ProviderFailure('eth_getBlockByNumber: error -32005', true, { code: -32005 });
  const { troubles } = await openOn([fakeProvider(without(busy)), fakeProvider()]);
  assert.ok(troubles.some(({ message }) => /only one provider answered/.test(message)));
});

test('if no provider responds, the start error names each provider and its error', async () => {
  const silent = () => fakeProvider({ down: true });
  await assert.rejects(openOn([silent(), silent()]), {
    message:
      'Polygon: no provider answers (one.example: chainId: no answer; two.example: chainId: no answer).',
  });
});

test('threats 46 and 101: the service refuses to start if any provider, even the third, has another chain or token', async () => {
  await assert.rejects(openOn([fakeProvider(), fakeProvider({ chainId: 1 })]), /two\.example .*chain 1/);
  const third = [fakeProvider(), fakeProvider(), fakeProvider({ chainId: 1 })];
  await assert.rejects(openOn(third), /three\.example .*chain 1/);
  await assert.rejects(openOn([fakeProvider(), fakeProvider({ decimals: 2 })]), /has 2 decimals/);
});

test('one of two providers is enough to start, and a missing allowance is reported', async () => {
  const { troubles } = await openOn([fakeProvider({ down: true }), fakeProvider({ allowedMinor: 0n })]);
  const said = troubles.map(({ message }) => message).join('\n');
  assert.match(said, /only one provider answered/);
  assert.match(
    said,
    /has not allowed the contract 0xd1d1\w+ to pay on its behalf.*approve the contract at the token 0x7070/,
  );
  assert.doesNotMatch(JSON.stringify(troubles), /secret/);
});

test('threat 46: the health check finds a provider that was unreachable at the start and now serves another chain or none', async () => {
  const away = fakeProvider({ down: true });
  const { network, pass } = await openOn([fakeProvider(), away]);
  const problems = async () => (await network.providers()).flatMap(({ problem }) => problem ?? []);
  assert.deepEqual(await problems(), ['chainId: no answer']);
  Object.assign(away, { down: false, chainId: 1 });
  assert.deepEqual(await problems(), ['it is on the chain 1, but the settings say 137']);
  away.chainId = 137;
  assert.deepEqual(await problems(), []);
  pass(60_000);
  away.before = (method) => {
    if (method.startsWith('block')) throw new Error('nothing behind it');
  };
  assert.deepEqual(await problems(), ['nothing behind it']);
});

test('the final balance is the smaller of two balances from providers, and a stalled provider does not count', async () => {
  const providers = [fakeProvider({ tokenMinor: 700n }), fakeProvider({ tokenMinor: 500n })] as const;
  const { network, pass } = await openOn(providers);
  assert.equal(await network.finalTokens(), 500n);
  pass(60 * 60_000);
  for (const each of providers) each.minedAtMs += 60 * 60_000;
  assert.equal(await network.finalTokens(), 500n);
  providers[0].minedAtMs = START_MS;
  await assert.rejects(network.finalTokens(), /only one provider answers/);
});

test('threat 101: a provider that was unreachable at the start, or later named another chain, gets no requests until it names our chain', async () => {
  const [other, ours] = [fakeProvider({ down: true }), fakeProvider()];
  const { network, pass, troubles } = await openOn([other, ours]);
  const txHash = happens(other, 'a', 95n, [{}]);
  const seen = { txHash, txIndex: 0, address: OURS, memo: null, amountMinor: 100n };
  Object.assign(other, { down: false, chainId: 1 });
  ours.down = true;
  for (let round = 0; round < 3; round++) {
    pass(60_000);
    assert.equal(await network.confirm(seen), 'unknown', 'only a provider of another chain knows of it');
  }
  assert.ok(!other.asked.includes('receipt'), 'it was asked nothing but its chain');
  assert.ok(troubles.some(({ detail }) => /on the chain 1/.test(`${detail.error}`)));
  other.chainId = 137;
  pass(60_000);
  assert.equal(await network.confirm(seen), 'final');
  other.chainId = 1;
  pass(10 * 60_000);
  assert.equal(await network.confirm(seen), 'unknown', 'it is asked for its chain again');
});

test('threat 35: the token, the treasury and our contracts are refused as destinations; deposit targets are stable', async () => {
  const { network } = await openOn([fakeProvider()]);
  for (const address of [TOKEN, DISPERSE, FACTORY, network.orderedBy!])
    assert.equal(network.checkAddress(address).ok, false, address);
  const target = network.depositTarget('txn_1');
  assert.deepEqual(network.depositTarget('txn_1'), target);
  assert.notEqual(network.depositTarget('txn_2').address, target.address);
  assert.deepEqual([target.memo, target.memoType], [null, null]);
});

test('threat 36: a wallet is refused only if two providers refuse it and would pay another wallet', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network } = await openOn(providers);
  const ready = (changes = {}) => network.recipientReady(payOne(WALLET, 500n, changes));
  assert.equal(await ready(), 'ready');
  const barred = (to: Hex) => (to === WALLET ? 'reverts' : true);
  providers[0].goes = barred;
  assert.equal(await ready(), 'unknown');
  providers[1].goes = barred;
  assert.equal(await ready(), 'refused');
  assert.equal(await ready({ from: 'txn_1' }), 'ready', 'a sweep pays no wallet');
  for (const each of providers) each.goes = (to) => to !== WALLET;
  assert.equal(await ready(), 'refused', 'it answers false');
  for (const each of providers) each.goes = () => 'reverts';
  assert.equal(await ready(), 'unknown', 'the token is paused');
  for (const each of providers) Object.assign(each, { goes: () => true, tokenMinor: 3n });
  assert.equal(await ready(), 'ready', 'the treasury is low, the wallet is not to blame');
  for (const each of providers) each.down = true;
  assert.equal(await ready(), 'unknown');
});

test('threat 42: a broadcast is accepted if any provider has the bytes, and otherwise unknown, never rejected', async () => {
  const providers = [fakeProvider(), fakeProvider()] as const;
  const { network, troubles } = await openOn(providers);
  const { envelopes } = await network.prepare([payOne(WALLET, 500n)], NO_TURN);
  const [bytes] = envelopes;
  assert.deepEqual(await network.broadcast(bytes!), { kind: 'accepted' });
  assert.deepEqual([providers[0].sent.length, providers[1].sent.length], [1, 1]);
  const refuses = (method: string) => {
    if (method === 'send') throw new ProviderFailure('eth_sendRawTransaction: error -32000', true);
  };
  for (const each of providers) each.before = refuses;
  assert.equal((await network.broadcast(bytes!)).kind, 'unknown');
  assert.deepEqual(troubles, [], 'an answer against it is no failure of the provider');
  providers[1].transactions.set(bytes!.hash, { from: WALLET, nonce: 7 });
  assert.deepEqual(await network.broadcast(bytes!), { kind: 'accepted' });
  for (const each of providers) each.down = true;
  assert.equal((await network.broadcast(bytes!)).kind, 'unknown');
});

test('bytes that do not match their hash are not sent', async () => {
  const provider = fakeProvider();
  const { network, troubles } = await openOn([provider]);
  const { envelopes } = await network.prepare([payOne(WALLET, 500n)], NO_TURN);
  const other = await network.prepare([payOne(WALLET, 501n)], NO_TURN);
  const outcome = await network.broadcast({ ...envelopes[0]!, payload: other.envelopes[0]!.payload });
  assert.equal(outcome.kind, 'unknown');
  assert.deepEqual([provider.sent.length, troubles.length], [0, 1]);
});
