// Tests the rows of each family. A known network needs only the fields that the product cannot know, and the tests check every
// default exactly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChainKinds } from '../../../../scripts/chain-kinds.ts';
import {
  BASE,
  ISSUER,
  MINT,
  ONES,
  POLYGON,
  parseOne,
  RPC,
  refused,
  SOLANA,
  STELLAR,
  TEST_POLYGON,
  TOKEN,
  TWOS,
  without,
} from '../../../../test/support/networks/network-rows.ts';
import chains from './chain-kinds.json' with { type: 'json' };
import { kindOfChain } from './families.ts';
import { findKnownNetwork } from './known-network.ts';
import { NOT_DEPLOYED } from './settings.ts';

test('a known live network needs only the fields that the product cannot know', () => {
  const { settings, limits } = parseOne(POLYGON);
  assert.deepEqual(settings, {
    ...{
      name: 'Polygon',
      mode: 'live',
      family: 'evm',
      rpc: RPC,
      assetCode: 'NGNC',
      token: TOKEN,
      decimals: 6,
    },
    native: { asset: 'POL', decimals: 18 },
    ...{ key: 'treasury', confirmations: 16, finalAfterMs: 5_000 },
    explorerTxUrl: 'https://polygonscan.com/tx/{hash}',
    agreeFromMinor: 1_000_000_000_000n,
    marks: { tokenMinor: 5_000_000_000_000n, nativeMinor: 500_000_000_000_000_000n },
    ...{ batch: 50, chainId: 137, disperse: null, forwarderFactory: TWOS, firstBlock: 79_000_000n },
    ...{ logBlocks: 500, stuckAfterMs: 60_000, maxFeePerGas: 500_500_000_000n },
  });
  assert.deepEqual(limits, { perTransactionMinor: 10_000_000_000_000n, perDayMinor: null, allowList: null });
});

test('Solana and Stellar have their own fields and defaults', () => {
  const solana = parseOne(SOLANA).settings;
  assert.ok(solana.family === 'solana');
  assert.deepEqual(
    [solana.token, solana.decimals, solana.native.asset, solana.confirmations, solana.marks.tokenMinor],
    [MINT, 2, 'SOL', 32, 1n],
  );
  assert.deepEqual([solana.offCurve, solana.priorityFee], ['accept', 50_000n]);
  assert.deepEqual([solana.priorityFeeCap, solana.acceptPowers], [1_000_000n, []]);
  const dear = { ...SOLANA, priority_fee: 200_000, accept_powers: ['transfer_hook'] };
  assert.partialDeepStrictEqual(parseOne(dear).settings, {
    priorityFeeCap: 2_000_000n,
    acceptPowers: ['transfer_hook'],
  });
  const stellar = parseOne(STELLAR).settings;
  assert.ok(stellar.family === 'stellar');
  assert.deepEqual([stellar.token, stellar.decimals, stellar.marks.tokenMinor], [ISSUER, 7, 1n]);
  assert.deepEqual(
    [stellar.passphrase, stellar.validForMs, stellar.feePerOperation, stellar.withoutTrustline],
    ['Public Global Stellar Network ; September 2015', 90_000, 10_000n, 'wait'],
  );
  assert.deepEqual([stellar.maxFeePerOperation, stellar.issuerControl], [1_000_000n, 'accept']);
  assert.throws(
    () => parseOne({ ...STELLAR, max_fee_per_operation: 9_999 }),
    /"max_fee_per_operation" must not be below "fee_per_operation"/,
  );
  const costly = parseOne({ ...STELLAR, fee_per_operation: 2_000_000, issuer_control: 'refuse' }).settings;
  assert.ok(costly.family === 'stellar');
  assert.deepEqual([costly.maxFeePerOperation, costly.issuerControl], [2_000_000n, 'refuse']);
  const other = { valid_for_ms: 60_000, fee_per_operation: 200, without_trustline: 'claimable_balance' };
  const changed = parseOne({ ...STELLAR, ...other }).settings;
  assert.ok(changed.family === 'stellar');
  assert.deepEqual(
    [changed.validForMs, changed.feePerOperation, changed.withoutTrustline],
    [60_000, 200n, 'claimable_balance'],
  );
});

test('an EVM network that the product does not know needs every field, and its amounts are exact', () => {
  const { settings, limits } = parseOne(BASE);
  assert.ok(settings.family === 'evm');
  assert.deepEqual(
    [settings.name, settings.token, settings.agreeFromMinor, settings.chainId, settings.disperse],
    ['Base', TOKEN, 1n, 8453, ONES],
  );
  assert.equal(settings.native.asset, 'ETH');
  assert.deepEqual(limits, {
    perTransactionMinor: 2_500_000_000_000_000_000n,
    perDayMinor: 12_345_678_901_234_567_890_000_000_000_000_000_000n,
    allowList: [ONES, TOKEN],
  });
  const needed = ['family', 'token', 'decimals', 'native', 'confirmations', 'final_after_ms'];
  for (const name of [...needed, 'explorer_tx_url', 'chain_id', 'first_block', 'max_fee_per_gas_gwei']) {
    const said = refused(without(BASE, name));
    assert.match(
      said,
      new RegExp(`^Base \\(live\\): "${name === 'native' ? 'native.asset' : name}" is missing`),
    );
  }
});

test('a test network with a known name has the family and the coin of the main network, but no setting that identifies the main network', () => {
  const { settings, limits } = parseOne(TEST_POLYGON);
  assert.ok(settings.family === 'evm');
  assert.deepEqual([settings.name, settings.native.asset, settings.explorerTxUrl], ['Polygon', 'POL', null]);
  assert.deepEqual(settings.marks, { tokenMinor: 0n, nativeMinor: 0n });
  assert.deepEqual(limits, { perTransactionMinor: null, perDayMinor: null, allowList: null });
  for (const name of ['token', 'decimals', 'confirmations', 'chain_id'])
    assert.match(
      refused(without(TEST_POLYGON, name)),
      new RegExp(`^Polygon \\(test\\): "${name}" is missing`),
    );
  assert.match(refused({ ...TEST_POLYGON, chain_id: 137 }), /"chain_id" belongs to a main network/);
  const { passphrase } = findKnownNetwork('Stellar')!;
  const stellar = {
    ...STELLAR,
    mode: 'test',
    token: ISSUER,
    decimals: 7,
    confirmations: 1,
    final_after_ms: 5_000,
  };
  assert.match(refused({ ...stellar, passphrase }), /"passphrase" belongs to the main network/);
  assert.match(refused(stellar), /"passphrase" is missing/);
});

test('the zero address is accepted for contracts that are not deployed yet', () => {
  const row = { ...POLYGON, disperse: NOT_DEPLOYED, forwarder_factory: NOT_DEPLOYED };
  const { settings } = parseOne(row);
  assert.ok(settings.family === 'evm');
  assert.deepEqual([settings.disperse, settings.forwarderFactory], [NOT_DEPLOYED, NOT_DEPLOYED]);
});

test('test mode refuses main chains, live mode refuses test chains, and an unknown chain must name its kind', () => {
  for (const chain_id of [1, 10, 56, 137, 8453, 42_161, 43_114])
    assert.match(
      refused({ ...TEST_POLYGON, chain_id }),
      /"chain_id" belongs to a main network/,
      `${chain_id}`,
    );
  for (const chain_id of [80_002, 43_113, 84_532, 11_155_111]) {
    assert.match(refused({ ...BASE, chain_id }), /"chain_id" belongs to a test network/, `${chain_id}`);
    parseOne({ ...TEST_POLYGON, chain_id });
  }
  const unknown = 31_337_137;
  for (const row of [BASE, TEST_POLYGON])
    assert.match(
      refused({ ...row, chain_id: unknown }),
      /"kind" is missing: the product does not know the chain 31337137/,
    );
  for (const [row, kind] of [
    [BASE, 'main'],
    [BASE, 'local'],
    [TEST_POLYGON, 'test'],
    [TEST_POLYGON, 'local'],
  ] as const)
    parseOne({ ...row, chain_id: unknown, kind });
  assert.match(refused({ ...BASE, chain_id: unknown, kind: 'test' }), /belongs to a test network/);
  assert.match(refused({ ...TEST_POLYGON, chain_id: unknown, kind: 'main' }), /belongs to a main network/);
});

test('live mode accepts a local chain only with "kind": "local", and a known chain accepts no other kind', () => {
  assert.match(
    refused({ ...BASE, chain_id: 31_337 }),
    /belongs to a local chain; to rehearse live mode on it, write "kind": "local"/,
  );
  parseOne({ ...BASE, chain_id: 31_337, kind: 'local' });
  assert.match(
    refused({ ...TEST_POLYGON, chain_id: 137, kind: 'local' }),
    /"kind" must be "main" for the chain 137/,
  );
  assert.match(
    refused({ ...BASE, chain_id: 80_002, kind: 'main' }),
    /"kind" must be "test" for the chain 80002/,
  );
  assert.match(refused({ ...BASE, kind: 'real' }), /"kind" must be one of "main", "test", "local"/);
  for (const passphrase of ['Test SDF Network ; September 2015', 'Test SDF Future Network ; October 2022'])
    assert.match(refused({ ...STELLAR, passphrase }), /"passphrase" belongs to a test network/);
});

// Tests that the stored list of chains equals the list of the installed viem.

test('the stored list of chains equals the list of viem (update it with node scripts/chain-kinds.ts)', () => {
  assert.deepEqual(chains, listChainKinds());
});

test('a chain id is main if any chain with that id is main, and local only if all of them are local', () => {
  assert.deepEqual([1, 137, 43_114, 999, 80_002, 31_337, 1_337, 31_337_137].map(kindOfChain), [
    'main',
    'main',
    'main',
    'main',
    'test',
    'local',
    'local',
    undefined,
  ]);
});
