// Tests that an installation with a live network or a live rail moves real money, and that local chains and banks do not.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '../config.ts';
import { movesRealMoney, readRailSettings } from './banks.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'wire-real-money-'));
after(() => rmSync(folder, { recursive: true }));

function configOf(mode: string, control?: string) {
  const account = { bank_code: 'providus-bank', number: '1234567890' };
  const options = { base_url: 'https://api.paystack.co', secret_key_env: 'PAYSTACK_KEY' };
  const rails = [{ mode, kind: 'paystack', name: 'paystack', account, options }];
  const BANKS_FILE = path.join(folder, 'banks.json');
  writeFileSync(BANKS_FILE, JSON.stringify({ rails, control }));
  return readConfig({ BANKS_FILE, PAYSTACK_KEY: 'sk_test' });
}

const networks = (live: readonly string[]) =>
  ({ enabled: () => [], disabled: (mode: string) => (mode === 'live' ? live : []) }) as unknown as Parameters<
    typeof movesRealMoney
  >[1];
const NONE = networks([]);
const LIVE = networks(['Polygon']);
const LOCAL = { instance: 'run-1' };
const REAL = { instance: null };
const CONTROL = 'http://127.0.0.1:8700';

test('a live network or a live rail counts as real money, even next to local ones; a test rail does not', () => {
  const without = readConfig({});
  assert.equal(movesRealMoney(without, NONE, REAL), false);
  assert.equal(movesRealMoney(without, LIVE, REAL), true);
  assert.equal(movesRealMoney(configOf('live'), NONE, REAL), true);
  assert.equal(movesRealMoney(configOf('live'), LIVE, LOCAL), true);
  assert.equal(movesRealMoney(configOf('live', CONTROL), LIVE, REAL), true);
  assert.equal(movesRealMoney(configOf('test'), NONE, REAL), false);
});

test('live mode on local chains and local banks does not count as real money; a bank whose control URL is on another machine is refused', () => {
  assert.equal(movesRealMoney(configOf('live', CONTROL), LIVE, LOCAL), false);
  const elsewhere = configOf('live', 'http://bank.example');
  assert.throws(() => readRailSettings(elsewhere), /control must be a URL on this machine/);
  assert.equal(movesRealMoney(elsewhere, LIVE, LOCAL), true, 'rails that cannot be read may be real');
});
