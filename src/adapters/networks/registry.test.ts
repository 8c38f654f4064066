// Tests the four networks together. Each network refuses addresses of the other families, and the deposit targets of the
// networks differ.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddressDecoder } from '@solana/addresses';
import fc from 'fast-check';
import { makeMemoryWorld } from '../../../test/support/memory-world.ts';
import { makeSimulation } from '../simulation/simulation.ts';
import { toChecksumAddress } from './evm/address.ts';
import { makeNetworks, makeSimulatedNetworks, NETWORK_ROWS } from './registry.ts';
import type { SimulatedFamily } from './simulated/family-looks.ts';
import { StrKey } from './stellar/horizon/strkey.ts';

const simulation = makeSimulation({
  world: makeMemoryWorld(),
  clock: { now: () => 0 },
  options: { seed: 'registry', faultPercent: 0, paceMs: 100 },
});
const networks = makeNetworks({ live: [], test: makeSimulatedNetworks({ offCurve: 'accept' }, simulation) });
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const ADDRESSES: Record<SimulatedFamily, fc.Arbitrary<string>> = {
  evm: bytes(20).map((b) => toChecksumAddress(`0x${Buffer.from(b).toString('hex')}`)),
  stellar: fc.oneof(
    bytes(32).map((b) => StrKey.encodeEd25519PublicKey(b)),
    bytes(40).map((b) => StrKey.encodeMed25519PublicKey(b)),
  ),
  solana: bytes(32).map((b) => getAddressDecoder().decode(b) as string),
};
const network = (name: string) => {
  const found = networks.find('test', name);
  assert.ok(found, name);
  return found;
};

test('threat 34: an address is accepted on networks of its own family and refused on all others', () => {
  for (const family of ['evm', 'stellar', 'solana'] as const) {
    fc.assert(
      fc.property(ADDRESSES[family], (address) => {
        for (const row of NETWORK_ROWS) {
          const result = network(row.name).checkAddress(address);
          if (row.family === family) {
            // Random small numbers and zero keys are refused as forbidden, never as invalid.
            assert.ok(result.ok ? result.address === address : result.code === 'wallet_forbidden');
          } else {
            assert.ok(!result.ok && result.code === 'wallet_network_mismatch');
            assert.ok(!result.message.includes(address.slice(2, 12)));
          }
        }
      }),
    );
  }
});

test('threat 34: the message names the family that the address looks like', () => {
  const stellar = StrKey.encodeEd25519PublicKey(new Uint8Array(32).fill(1));
  assert.deepEqual(network('Polygon').checkAddress(stellar), {
    ok: false,
    code: 'wallet_network_mismatch',
    message: 'This looks like a Stellar address, but network is Polygon.',
  });
});

test('every network recognises a pasted secret, and no message repeats it', () => {
  const seed = StrKey.encodeEd25519SecretSeed(new Uint8Array(32).fill(1));
  const secrets = [seed, 'ab'.repeat(32), `0x${'Cd'.repeat(32)}`, '5'.repeat(88)];
  for (const { name } of NETWORK_ROWS) {
    for (const secret of secrets) {
      const result = network(name).checkAddress(secret);
      assert.ok(!result.ok && result.code === 'wallet_invalid');
      assert.match(result.message, /looks like .*(secret|private)/);
      assert.ok(!result.message.includes(secret.slice(0, 8)));
    }
  }
});

test('arbitrary text is refused, and no message repeats it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 6, maxLength: 120 }), (text) => {
      for (const { name } of NETWORK_ROWS) {
        const result = network(name).checkAddress(text);
        assert.ok(!result.ok && !result.message.includes(text));
      }
    }),
  );
});

test('a deposit target is stable and differs by id and network, and outside Stellar it passes the address check', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 2 }), ([a, b]) => {
      const seen = new Set<string>();
      for (const { name, family } of NETWORK_ROWS) {
        const first = network(name).depositTarget(a!);
        const second = network(name).depositTarget(b!);
        assert.deepEqual(network(name).depositTarget(a!), first);
        for (const target of [first, second]) seen.add(`${target.address}/${target.memo}`);
        const check = network(name).checkAddress(first.address);
        if (family !== 'stellar') {
          assert.deepEqual(check, { ok: true, address: first.address });
          assert.deepEqual([first.memo, first.memoType], [null, null]);
        }
      }
      assert.equal(seen.size, 2 * NETWORK_ROWS.length);
    }),
  );
});

test('all Stellar deposits use one account and differ by a 63-bit memo, and the account is refused as a destination', () => {
  const stellar = network('Stellar');
  const targets = Array.from({ length: 1000 }, (_, i) => stellar.depositTarget(`txn_${i}`));
  assert.equal(new Set(targets.map((target) => target.address)).size, 1);
  assert.equal(new Set(targets.map((target) => target.memo)).size, 1000);
  for (const { memo, memoType } of targets) {
    assert.equal(memoType, 'id');
    assert.match(memo ?? '', /^[1-9][0-9]*$/);
    assert.ok(BigInt(memo ?? '') < 1n << 63n);
  }
  const { address } = targets[0]!;
  assert.ok(StrKey.isValidEd25519PublicKey(address));
  const result = stellar.checkAddress(address);
  assert.ok(!result.ok && result.code === 'wallet_forbidden');
});

test('threat 35: the known token addresses are refused on their networks', () => {
  for (const { name, tokenAddress } of NETWORK_ROWS) {
    if (tokenAddress === null) continue;
    const result = network(name).checkAddress(tokenAddress);
    assert.ok(!result.ok && result.code === 'wallet_forbidden', name);
  }
});

test('threat 7: each network has its own decimals for the same coin', () => {
  const listed = networks.enabled('test').map(({ name, asset }) => [name, asset.code, asset.decimals]);
  assert.deepEqual(listed, [
    ['Stellar', 'NGNC', 7],
    ['Polygon', 'NGNC', 6],
    ['Solana', 'NGNC', 2],
    ['Avalanche', 'NGNC', 6],
  ]);
});

test('network names are case-insensitive, and live mode enables only configured networks', () => {
  assert.deepEqual(networks.names, ['Stellar', 'Polygon', 'Solana', 'Avalanche']);
  assert.equal(networks.spell('sOLANA'), 'Solana');
  for (const text of ['', 'Base', ' Solana', 'Solana ', '__proto__', 'constructor']) {
    assert.equal(networks.spell(text), undefined);
    assert.equal(networks.find('test', text), undefined);
  }
  assert.equal(networks.find('test', 'polygon')?.name, 'Polygon');
  assert.equal(networks.find('live', 'Polygon'), undefined);
  assert.deepEqual(networks.enabled('live'), []);
});

test('an unknown or repeated network is refused, and the order of the list does not matter', () => {
  const [first, ...rest] = makeSimulatedNetworks({ offCurve: 'accept' }, simulation);
  assert.throws(() => makeNetworks({ live: [], test: [first!, first!] }), /twice/);
  assert.throws(() => makeNetworks({ live: [], test: [{ ...first!, name: 'Elsewhere' }] }), /unknown/);
  const shuffled = makeNetworks({ live: [], test: [...rest.toReversed(), first!] });
  assert.deepEqual(
    shuffled.enabled('test').map(({ name }) => name),
    networks.names,
  );
});

test('every explorer link contains a placeholder for the hash', () => {
  for (const { explorerTxUrl } of NETWORK_ROWS) assert.match(explorerTxUrl, /^https:\/\/\S+\{hash\}$/);
});

test('a simulated hash has the format of its family and no explorer link', async () => {
  const forms: Record<SimulatedFamily, RegExp> = {
    evm: /^0x[0-9a-f]{64}$/,
    stellar: /^[0-9a-f]{64}$/,
    solana: /^[1-9A-HJ-NP-Za-km-z]{88}$/,
  };
  for (const { name, family } of NETWORK_ROWS) {
    const to = network(name).depositTarget('a customer').address;
    const payment = {
      orderId: 'mov_1',
      about: null,
      to,
      amountMinor: 1n,
      alone: false,
      opensAccount: true,
      from: null,
    };
    const turn = { lastSequence: null, live: 0, inFlightMinor: 0n };
    const { envelopes } = await network(name).prepare([payment], turn);
    const { hash } = envelopes[0]!;
    assert.match(hash, forms[family]);
    assert.equal(network(name).explorerUrl(hash), null);
  }
});
