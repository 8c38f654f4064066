// Tests that a service with a live bank does not start when personal data would be erased sooner than the law allows.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { freshDatabase } from '../../test/support/database.ts';
import { openTestService } from '../../test/support/service.ts';
import { readConfig } from '../config.ts';
import { refuseShortRetention } from './banks.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'short-retention-'));
after(() => rmSync(folder, { recursive: true }));

function settingsOf(mode: string, days: string) {
  const account = { bank_code: 'providus-bank', number: '1234567890' };
  const options = { base_url: 'https://api.paystack.co', secret_key_env: 'PAYSTACK_KEY' };
  const BANKS_FILE = path.join(folder, `${mode}.json`);
  writeFileSync(
    BANKS_FILE,
    JSON.stringify({ rails: [{ mode, kind: 'paystack', name: 'paystack', account, options }] }),
  );
  return { BANKS_FILE, PAYSTACK_KEY: 'sk_test', PERSONAL_DATA_DAYS: days };
}

test('J2: in live mode PERSONAL_DATA_DAYS must be 0 or at least LEGAL_RETENTION_DAYS; in test mode any number is allowed', () => {
  const check = (settings: Record<string, string>, servesLive: boolean) => () =>
    refuseShortRetention(readConfig(settings), servesLive);
  const message =
    /PERSONAL_DATA_DAYS is 2556, but the law requires records of live transactions for 2557 days .* or to 0 to keep all data/;
  assert.throws(check({ PERSONAL_DATA_DAYS: '2556' }, true), message);
  assert.doesNotThrow(check({ PERSONAL_DATA_DAYS: '2556' }, false));
  assert.doesNotThrow(check({ PERSONAL_DATA_DAYS: '2557' }, true));
  assert.doesNotThrow(check({ PERSONAL_DATA_DAYS: '0' }, true));
  assert.doesNotThrow(check({ PERSONAL_DATA_DAYS: '365', LEGAL_RETENTION_DAYS: '365' }, true));
});

test('J2: the start of a service with a live bank is refused; with a test bank it is not', async () => {
  const databaseUrl = await freshDatabase();
  await assert.rejects(openTestService(settingsOf('live', '30'), databaseUrl), /PERSONAL_DATA_DAYS is 30/);
  const service = await openTestService(settingsOf('test', '30'), databaseUrl);
  await service.close();
});
