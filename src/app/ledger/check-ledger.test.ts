// Tests for which assets the rules across assets can be checked, while networks are enabled and disabled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DisabledNetwork, Network, Networks } from '../../ports/networks/network.ts';
import { checkableAssets } from './check-ledger.ts';

const token = { asset: { code: 'TKN', decimals: 6 }, native: { asset: 'FEE', decimals: 18 } };

function networks(enabled: readonly string[], disabled: readonly Partial<DisabledNetwork>[]): Networks {
  return {
    enabled: (mode) => (mode === 'live' ? enabled.map((name) => ({ name, ...token }) as Network) : []),
    disabled: (mode) => (mode === 'live' ? (disabled as readonly DisabledNetwork[]) : []),
  } as Partial<Networks> as Networks;
}

test('a disabled network is checked if its settings were verified before; otherwise its decimals are unknown', () => {
  const passed = { name: 'Away', described: token };
  const never = { name: 'New', described: null };
  const { live, test: none } = checkableAssets(networks(['Here'], [passed, never]));
  assert.deepEqual(
    [...live],
    [
      ['TKN@Here', 6],
      ['FEE@Here', 18],
      ['TKN@Away', 6],
      ['FEE@Away', 18],
    ],
  );
  assert.equal(none.size, 0);
});
