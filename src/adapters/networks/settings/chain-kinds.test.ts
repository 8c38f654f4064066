// The stored list of chains must equal the list of the installed viem.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChainKinds } from '../../../../scripts/chain-kinds.ts';
import chains from './chain-kinds.json' with { type: 'json' };
import { kindOfChain } from './chain-kinds.ts';

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
