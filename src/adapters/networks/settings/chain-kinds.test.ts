// The kept list of chains is the one of the installed viem.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChainKinds } from '../../../../scripts/chain-kinds.ts';
import chains from './chain-kinds.json' with { type: 'json' };
import { kindOfChain } from './chain-kinds.ts';

test('the kept list of chains is the one of viem: write it anew with node scripts/chain-kinds.ts', () => {
  assert.deepEqual(chains, listChainKinds());
});

test('a chain is a main chain where one of its number is, and local where all of them are', () => {
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
