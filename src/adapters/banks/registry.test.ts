// Rails by mode and name, and what is wrong with settings that open none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemoryWorld } from '../../../test/support/simulated/memory-world.ts';
import { makeSimulation } from '../simulation/simulation.ts';
import { makeBanks, openRail } from './registry.ts';
import { simulatedBank } from './simulated/bank.ts';

const options = { seed: 'registry', faultPercent: 0, paceMs: 100 };
const simulation = makeSimulation({ world: makeMemoryWorld(), clock: { now: () => 0 }, options });
const bank = simulatedBank(simulation);
const settings = { mode: 'test', kind: 'simulated', name: 'simulated', options: {} } as const;
const open = (changes: object) => openRail({ ...settings, ...changes }, { simulatedBank: bank });

test('a rail is found by its mode and its name, and listed in the order given', () => {
  const other = { ...bank, name: 'other' };
  const banks = makeBanks({ live: [], test: [other, bank] });
  assert.equal(banks.find('test', 'simulated'), bank);
  assert.equal(banks.find('test', 'other'), other);
  assert.deepEqual([banks.find('live', 'simulated'), banks.find('test', 'third')], [undefined, undefined]);
  assert.deepEqual(banks.enabled('test'), [other, bank]);
  assert.deepEqual(banks.enabled('live'), []);
});

test('the simulated bank opens in test mode, as the one that the sandbox drives', () => {
  assert.equal(open({}), bank);
  assert.throws(
    () => open({ mode: 'live' }),
    /rail simulated: kind simulated is not for live mode; use it in: test/,
  );
  assert.throws(() => open({ name: 'mine' }), /rail mine: a rail of kind simulated must be named simulated/);
});

test('an unknown kind names the known ones; a name that is used twice is refused', () => {
  assert.throws(() => open({ kind: 'cash' }), /rail simulated: kind cash is unknown; use one of: simulated/);
  assert.throws(
    () => makeBanks({ live: [], test: [bank, bank] }),
    /rail simulated is configured twice in test mode; give each rail its own name/,
  );
});
