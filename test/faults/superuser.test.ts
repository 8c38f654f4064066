// A server of the operator's own: a role that may do more than the service needs is named at the start.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase, superuserUrl } from '../support/database.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { startProcess } from '../support/process.ts';

const url = await freshDatabase();

test('a superuser at DATABASE_URL is warned about at the start, the role of the service is not', async (t) => {
  for (const [given, warned] of [
    [superuserUrl(url), true],
    [url, false],
  ] as const) {
    const service = await startProcess(t, { settings: { ...SECRETS_KEY, DATABASE_URL: given } });
    assert.equal(service.stdout().includes('the role of DATABASE_URL is a superuser'), warned);
    await service.stop();
  }
});
