// Tests that the operator's database becomes unreachable under load: it is stopped, failed over or frozen. Callers get only 503
// with a retry time, and the service recovers automatically. Every request that got a 200 is stored once.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertAccounted, assertOnlyAcceptedOrAway } from '../support/accounted.ts';
import { giveUpSoon, HELD_TIME } from '../support/faults/held-time.ts';
import { makeHome } from '../support/home.ts';
import { hasStatus, type Load, startLoad } from '../support/load.ts';
import { type OwnCluster, prepareBusiness, startOwnCluster } from '../support/own-cluster.ts';
import { until } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { answersReady, type ServiceProcess, startProcess } from '../support/process.ts';
import type { TestBusiness } from '../support/service.ts';

const CLIENTS = 8;

interface Scene {
  readonly cluster: OwnCluster;
  readonly service: ServiceProcess;
  readonly business: TestBusiness;
}

test('threat 86: the database becomes unreachable under load', async (t) => {
  const home = await makeHome(t);
  const cluster = await startOwnCluster(t, home);
  const business = await prepareBusiness(cluster.url);
  const settings = { ...SECRETS_KEY, DATABASE_URL: cluster.url, ...HELD_TIME, DRAIN_MS: '1' };
  const service = await startProcess(t, { home, settings });
  const scene = { cluster, service, business };

  await t.test('threat 86: the database is stopped and started again', (t) =>
    underLoad(t, scene, async (load) => {
      await cluster.stop();
      await assertAway(load, service);
      await cluster.start();
    }),
  );
  await t.test('threat 86: the server closes every connection, five times', (t) =>
    underLoad(t, scene, async (load) => {
      for (let round = 0; round < 5; round++) {
        assert.ok((await cluster.dropConnections()) > 0);
        const before = load.accepted();
        await until('buys are accepted', () => load.accepted() > before + 20);
      }
    }),
  );
  await t.test('threat 86: the whole database is frozen for longer than the timeout', (t) =>
    underLoad(t, scene, async (load) => {
      const thaw = await cluster.freeze('server');
      const giveTime = giveUpSoon(home);
      await assertAway(load, service);
      thaw();
      giveTime();
    }),
  );
  await t.test('threat 86: existing sessions are frozen, while new ones can be opened', (t) =>
    underLoad(t, scene, async (load) => {
      const thaw = await cluster.freeze('sessions');
      const giveTime = giveUpSoon(home);
      const before = load.outcomes.size;
      // Each client made one request on a frozen session, which timed out, and one more request after it.
      await until('callers are answered', () => load.outcomes.size >= before + 2 * CLIENTS);
      thaw();
      giveTime();
    }),
  );
  assert.deepEqual(await service.stop(), { code: 0, signal: null });
});

async function underLoad(
  t: TestContext,
  scene: Scene,
  happens: (load: Load) => Promise<void>,
): Promise<void> {
  const { service, business, cluster } = scene;
  const { baseUrl } = service;
  const load = startLoad({ baseUrl, business, clients: CLIENTS });
  t.after(() => load.stop());
  await until('buys are accepted', () => load.accepted() > 50);
  await happens(load);
  const before = load.accepted();
  await until('it is ready again', () => answersReady(baseUrl));
  await until('buys are accepted again', () => load.accepted() > before + 50);
  await load.stop();
  assertOnlyAcceptedOrAway(load);
  const accounts = await assertAccounted(load, { baseUrl, business, connection: cluster.connection });
  t.diagnostic(JSON.stringify(accounts));
}

async function assertAway(load: Load, { baseUrl }: ServiceProcess): Promise<void> {
  await until('callers are answered 503', () => load.count(hasStatus(503)) > CLIENTS);
  const ready = await fetch(`${baseUrl}/ready`);
  assert.equal(ready.status, 503);
  assert.match(ready.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal((await fetch(`${baseUrl}/health`)).status, 200);
}
