// Tests, with the operator's own server, that the start warns about a role with more rights than the service needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase, superuserUrl } from '../support/database.ts';
import { startTestService } from '../support/service.ts';

const url = await freshDatabase();

test('the start warns about a superuser in DATABASE_URL, and not about the role of the service', async () => {
  const { service, business, logged } = await startTestService({}, url);
  assert.equal(logged().includes('the role of DATABASE_URL is a superuser'), false);
  await service.close();
  const more = await startTestService({}, superuserUrl(url), business);
  assert.equal(more.logged().includes('the role of DATABASE_URL is a superuser'), true);
});
