// Tests that a deposit counts only while its address holds the received amount. A token may keep a fee that its log does not
// show, and an issuer may remove tokens. Tokens that left the address by a transfer are not missing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hex, pad, toHex } from 'viem';
import { fakeProvider, TREASURY } from '../../../../../test/support/networks/evm-fake-provider.ts';
import { happens, OURS, openOn } from '../../../../../test/support/networks/evm-providers.ts';
import { addressTopic, TRANSFER } from '../rpc/contracts.ts';

const SWEPT = { topics: [TRANSFER, addressTopic(OURS), addressTopic(TREASURY)] as Hex[] };
const seenOf = (txHash: Hex, amountMinor = 100n) => ({
  txHash,
  txIndex: 0,
  address: OURS,
  memo: null,
  amountMinor,
});

async function stage(count = 2) {
  const providers = Array.from({ length: count }, () => fakeProvider());
  const opened = await openOn(providers);
  const every = (change: (each: (typeof providers)[number]) => void) => providers.forEach(change);
  const comes = (name: string, block: bigint, logs: Parameters<typeof happens>[3] = [{}]): Hex => {
    let hash: Hex = '0x';
    every((each) => {
      hash = happens(each, name, block, logs);
    });
    return hash;
  };
  const holds = (amountMinor: bigint) => every((each) => void each.held.set(OURS, amountMinor));
  return { ...opened, providers, comes, holds };
}

test('threat 102: if the token took a fee that the log does not show, a deposit does not count until its address holds the full amount', async () => {
  for (const count of [1, 2]) {
    const { network, comes, holds } = await stage(count);
    const seen = seenOf(comes('a', 95n));
    holds(99n);
    assert.deepEqual(await network.confirm(seen), { missingMinor: 1n });
    assert.deepEqual(await network.confirm(seen, { byTwo: true }), { missingMinor: 1n });
    holds(100n);
    assert.equal(await network.confirm(seen), 'final');
  }
});

test('an address must hold the sum of its final deposits, and deposits that are not final do not count', async () => {
  const { network, comes, holds } = await stage();
  const [first, second] = [comes('a', 95n), comes('b', 96n)];
  const late = comes('c', 105n);
  const beside = [{ txHash: first, amountMinor: 100n }];
  holds(180n);
  assert.deepEqual(await network.confirm({ ...seenOf(second), beside }), { missingMinor: 20n });
  assert.equal(await network.confirm(seenOf(second)), 'final', 'were it alone');
  holds(200n);
  assert.equal(await network.confirm({ ...seenOf(second), beside }), 'final');
  const notYet = [
    ...beside,
    { txHash: late, amountMinor: 100n },
    { txHash: `0x${'00'.repeat(32)}`, amountMinor: 7n },
  ];
  assert.equal(await network.confirm({ ...seenOf(second), beside: notYet }), 'final');
});

test('tokens that any account swept from the address do not count as missing', async () => {
  const { network, comes, holds } = await stage();
  const first = comes('a', 93n);
  const second = comes('b', 95n);
  comes('sweep', 97n, [{ ...SWEPT, data: pad(toHex(200n)) }]);
  holds(0n);
  const beside = [{ txHash: first, amountMinor: 100n }];
  assert.equal(await network.confirm({ ...seenOf(second), beside }), 'final');
  assert.equal(await network.confirm(seenOf(first)), 'final');
  const short = await stage();
  const one = short.comes('a', 95n);
  short.comes('sweep', 97n, [{ ...SWEPT, data: pad(toHex(90n)) }]);
  short.holds(0n);
  assert.deepEqual(await short.network.confirm(seenOf(one)), { missingMinor: 10n });
});

test('a deposit is unknown if two providers disagree about the balance; a provider without old state is queried at the newest block', async () => {
  const { network, providers, comes, holds, troubles } = await stage();
  const seen = seenOf(comes('a', 95n));
  holds(100n);
  for (const each of providers) each.oldestState = 105n;
  assert.equal(await network.confirm(seen, { byTwo: true }), 'final');
  providers[0]!.held.set(OURS, 90n);
  assert.equal(await network.confirm(seen, { byTwo: true }), 'unknown');
  assert.ok(troubles.some(({ message }) => /contradict each other about a deposit/.test(message)));
});
