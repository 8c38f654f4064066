// Tests several processes on one database. They share the embedded database, and the last process stops it. A revoked key stops
// working in all of them at once, and simultaneous first starts set up a database once.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { query } from '../support/accounted.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { makeHome, otherPorts, postmasterOf } from '../support/home.ts';
import { submit } from '../support/load.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { answersReady, runCommand, type ServiceProcess, startProcess } from '../support/process.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations');

test('threats 70, 90: two services on one DATA_DIR', async (t) => {
  const home = await makeUsedHome(t);
  const first = await startProcess(t, { home });
  const server = postmasterOf(home.dataDir)!.pid;
  const second = await startProcess(t, { home: await otherPorts(home) });
  const services = [first, second];
  assert.equal(postmasterOf(home.dataDir)!.pid, server, 'they share a database');
  const business = second.business();

  const outcomes = await Promise.all(
    services.map(({ baseUrl }) =>
      submit({ baseUrl, business }, 'through-both').then(({ outcome }) => outcome),
    ),
  );
  const [one, other] = outcomes.map((outcome) => outcome.kind === 'answered' && outcome.body.transaction);
  assert.ok(one && other);
  assert.equal(
    one.transaction_id,
    other.transaction_id,
    'one reference, one transaction, whichever is asked',
  );

  await t.test('threat 70: a revoked key stops working at once in both services', async () => {
    for (const service of services) assert.equal(await statusWith(service, business.testKey), 200);
    const listed = await runCommand(home, ['keys', 'list', '--business', business.businessId]);
    const keyId = /^(key_\S+)\s+\S+\s+test\s/m.exec(listed.stdout)?.[1];
    assert.ok(keyId, listed.stdout + listed.stderr);
    const revoked = await runCommand(home, ['keys', 'revoke', keyId]);
    assert.equal(revoked.code, 0, revoked.stderr);
    for (const service of services) {
      const { outcome } = await submit({ baseUrl: service.baseUrl, business }, 'after-the-end');
      assert.equal(outcome.kind === 'answered' && outcome.status, 401);
      assert.equal(await statusWith(service, business.testKey), 401);
      assert.equal(await statusWith(service, business.liveKey), 200, 'the other key still opens');
    }
    const again = await runCommand(home, ['keys', 'revoke', keyId]);
    assert.equal(again.code, 5);
    assert.match(again.stderr, /does not exist or is already revoked/);
  });

  await t.test(
    'threat 90: when the first process stops, the database keeps running, and the last process stops it',
    async () => {
      assert.deepEqual(await first.stop(), { code: 0, signal: null });
      assert.equal(postmasterOf(home.dataDir)?.pid, server);
      assert.ok(await answersReady(second.baseUrl));
      assert.equal(await statusWith(second, business.liveKey), 200);
      assert.deepEqual(await second.stop(), { code: 0, signal: null });
      assert.equal(postmasterOf(home.dataDir), undefined);
    },
  );
});

test('threat 90: three simultaneous first starts on an empty database set it up once', async (t) => {
  const { url, connection } = await emptyDatabase();
  const settings = { ...SECRETS_KEY, DATABASE_URL: url };
  const home = await makeHome(t);
  const homes = [home, await otherPorts(home), await otherPorts(home)];
  const services = await Promise.all(homes.map((home) => startProcess(t, { home, settings })));
  for (const { baseUrl } of services) assert.ok(await answersReady(baseUrl));
  const migrated = services.filter((service) => service.stdout().includes('"msg":"migrated"'));
  assert.equal(migrated.length, 1, 'one of them migrated');
  const applied = await query<{ name: string }>(
    connection,
    'select name from schema_migrations order by number',
  );
  assert.deepEqual(
    applied.map((row) => row.name),
    readdirSync(MIGRATIONS).sort(),
  );
  const [vendors] = await query(
    connection,
    'select count(*)::int as all, count(distinct (mode, bank_code, number))::int as kinds from vendors',
  );
  assert.ok(vendors!.all > 0);
  assert.equal(vendors!.all, vendors!.kinds, 'sample vendors were added once');
  const ends = await Promise.all(services.map((service) => service.stop()));
  for (const end of ends) assert.deepEqual(end, { code: 0, signal: null });
});

async function statusWith({ baseUrl }: ServiceProcess, key: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/transactions/v1/vendors`, { headers: { 'svc-sec-key': key } });
  await answer.body?.cancel();
  return answer.status;
}
