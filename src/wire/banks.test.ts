// Tests the rails of a process. It covers the order of the file's rails and the simulated bank, the modes that accept
// transactions, and when the process rejects a vendor account.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeMemoryWorld } from '../../test/support/memory-world.ts';
import { makeSimulatedBank } from '../adapters/rails/simulated/bank.ts';
import { makeSimulation } from '../adapters/simulation/simulation.ts';
import { readConfig } from '../config.ts';
import { loadBankDirectory, movesRealMoney, openBanks, railsEnabled, refuseVendorAccounts } from './banks.ts';
import { isOperatorError } from './operator-errors.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'wire-banks-'));
after(() => rmSync(folder, { recursive: true }));
const clock = { now: () => 0 };
const options = { seed: 'wire', faultPercent: 0, paceMs: 100 };
const bank = makeSimulatedBank(makeSimulation({ world: makeMemoryWorld(), clock, options }));
const deps = { directory: loadBankDirectory(), clock, simulatedBank: bank };

function configOf(...modes: readonly string[]) {
  const account = { bank_code: 'providus-bank', number: '1234567890' };
  const rails = modes.map((mode) => ({
    ...{ mode, kind: 'paystack', name: `paystack-${mode}`, account },
    options: { base_url: 'https://api.paystack.co', secret_key_env: 'PAYSTACK_KEY' },
  }));
  const BANKS_FILE = path.join(folder, 'banks.json');
  writeFileSync(BANKS_FILE, JSON.stringify({ rails }));
  return readConfig({ BANKS_FILE, PAYSTACK_KEY: 'sk_test' });
}

test('test mode has the simulated bank after the rails of the file; live mode has only the rails of the file', () => {
  const names = (config: ReturnType<typeof readConfig>) => {
    const banks = openBanks(config, deps);
    return [banks.enabled('live'), banks.enabled('test')].map((rails) => rails.map(({ name }) => name));
  };
  assert.deepEqual(names(readConfig({})), [[], ['simulated']]);
  assert.deepEqual(names(configOf('live', 'test')), [['paystack-live'], ['paystack-test', 'simulated']]);
});

test('a command that needs no rail works with an invalid file, and assumes that the file has real money', () => {
  const config = readConfig({ BANKS_FILE: path.join(folder, 'none.json') });
  assert.throws(() => openBanks(config, deps), isOperatorError);
  const banks = openBanks(config, deps, { lazily: true });
  assert.throws(() => banks.enabled('live'), isOperatorError);
  const none = { enabled: () => [], disabled: () => [], find: () => undefined } as never;
  assert.equal(movesRealMoney(config, none, { instance: null }), true);
});

test('live mode accepts transactions once a live rail can pay out', () => {
  assert.deepEqual(railsEnabled(openBanks(readConfig({}), deps)), { live: false, test: true });
  assert.deepEqual(railsEnabled(openBanks(configOf('test'), deps)), { live: false, test: true });
  assert.deepEqual(railsEnabled(openBanks(configOf('live'), deps)), { live: true, test: true });
});

test('the service refuses to start if the account of a rail is also a vendor’s account in the same mode, and the message says what to do', () => {
  const vendor = { id: 'vnd_1', name: 'Vendor One', bank: 'Providus Bank', bankCode: 'providus-bank' };
  const mine = { ...vendor, mode: 'live', number: '1234567890' } as const;
  const config = configOf('live');
  const banks = openBanks(config, deps);
  assert.throws(
    () => refuseVendorAccounts(config, banks, { vendors: { live: [mine], test: [] } }),
    /^SettingsError: The banks file .*banks\.json: The account of rail paystack-live \(live\) is the account of vendor Vendor One\. A payout account must not receive buys: .*vendors disable vnd_1\.$/,
  );
  const elsewhere = { ...mine, bankCode: 'wema-bank' };
  refuseVendorAccounts(config, banks, { vendors: { live: [elsewhere], test: [{ ...mine, mode: 'test' }] } });
});
