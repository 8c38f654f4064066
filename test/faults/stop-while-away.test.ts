// A stop must not wait for a database that does not answer: a process that receives SIGTERM while it is frozen or gone still
// ends in order, and one that receives SIGTERM while it is starting does not leave its database behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertAccounted, assertOnlyAcceptedOrAway } from '../support/accounted.ts';
import { makeHome, postmasterOf } from '../support/home.ts';
import { startLoad } from '../support/load.ts';
import { prepareBusiness, startOwnCluster } from '../support/own-cluster.ts';
import { until } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { type Ended, launchService, type RunningProcess, startProcess } from '../support/process.ts';

/** Far above the time limits of the service: a process that takes longer would never have stopped. */
const FOR_EVER_MS = 40_000;

test('threats 86, 90: SIGTERM while the database is away', async (t) => {
  const home = await makeHome(t);
  const cluster = await startOwnCluster(t, home);
  const business = await prepareBusiness(cluster.url);
  const settings = { ...SECRETS_KEY, DATABASE_URL: cluster.url, DATABASE_TIMEOUT_MS: '2000' };
  const takeAway = {
    // Shorter than the time limit of the database: requests still wait for it when the doors are shut.
    frozen: { DRAIN_MS: '500', take: () => cluster.freeze('server') },
    // Requests fail at once here. Long enough that a client which a slow machine keeps waiting is asked to close, too.
    stopped: {
      DRAIN_MS: '3000',
      take: async () => {
        await cluster.stop();
        return cluster.start;
      },
    },
  };
  // The start after a stop shows what was stored; the same process receives the next SIGTERM.
  const { frozen, stopped } = takeAway;
  let service = await startProcess(t, { home, settings: { ...settings, DRAIN_MS: frozen.DRAIN_MS } });
  for (const [how, { take }, next] of [
    ['frozen', frozen, { DRAIN_MS: stopped.DRAIN_MS }],
    ['stopped', stopped, {}],
  ] as const) {
    await t.test(`threats 86, 90: ${how}, under load`, async (t) => {
      const { baseUrl } = service;
      const load = startLoad({ baseUrl, business, clients: 4, whenClosed: 'leave' });
      t.after(() => load.stop());
      await until('buys are accepted', () => load.accepted() > 50);
      const giveBack = await take();
      await sleep(300);
      service.kill('SIGTERM');
      assert.deepEqual(await endOf(service), { code: 0, signal: null });
      await load.stop();
      assertOnlyAcceptedOrAway(load);
      await giveBack();
      service = await startProcess(t, { home, settings: { ...settings, ...next } });
      const settle = { baseUrl, business, connection: cluster.connection };
      t.diagnostic(JSON.stringify(await assertAccounted(load, settle)));
    });
  }
  await t.test('threats 86, 90: frozen, with idle connections', async () => {
    const thaw = await cluster.freeze('server');
    service.kill('SIGTERM');
    assert.deepEqual(await endOf(service), { code: 0, signal: null });
    thaw();
  });
});

test('threat 90: SIGTERM while the service is starting leaves no database behind', async (t) => {
  const home = await makeHome(t);
  for (const moment of ['making the database cluster', 'started the database']) {
    const starting = launchService(home);
    await until(`it says: ${moment}`, () => starting.stdout().includes(moment));
    starting.kill('SIGTERM');
    assert.deepEqual(await endOf(starting), { code: 0, signal: null }, moment);
    assert.equal(postmasterOf(home.dataDir), undefined, moment);
  }
});

async function endOf(running: RunningProcess): Promise<Ended> {
  const late = setTimeout(() => running.kill('SIGKILL'), FOR_EVER_MS);
  return running.ended.finally(() => clearTimeout(late));
}
