// Tests the lookup of rails by mode and name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemoryWorld } from '../../../test/support/memory-world.ts';
import { makeSimulation } from '../simulation/simulation.ts';
import { makeBanks } from './registry.ts';
import { makeSimulatedBank } from './simulated/bank.ts';

const options = { seed: 'registry', faultPercent: 0, paceMs: 100 };
const simulation = makeSimulation({ world: makeMemoryWorld(), clock: { now: () => 0 }, options });
const bank = makeSimulatedBank(simulation);

test('a rail is found by its mode and name, and rails are listed in the given order', () => {
  const other = { ...bank, name: 'other' };
  const banks = makeBanks({ live: [], test: [other, bank] });
  assert.equal(banks.find('test', 'simulated'), bank);
  assert.equal(banks.find('test', 'other'), other);
  assert.deepEqual([banks.find('live', 'simulated'), banks.find('test', 'third')], [undefined, undefined]);
  assert.deepEqual(banks.enabled('test'), [other, bank]);
  assert.deepEqual(banks.enabled('live'), []);
});

test('a name that is used twice in a mode is refused', () => {
  assert.throws(
    () => makeBanks({ live: [], test: [bank, bank] }),
    /rail simulated is configured twice in test mode; give each rail its own name/,
  );
});
