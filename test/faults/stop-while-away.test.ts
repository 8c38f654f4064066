// Tests that a stop does not wait for a database that does not respond. A process that receives SIGTERM while the database is
// frozen or stopped still ends cleanly. A process that receives SIGTERM during its start does not leave its database running.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccounted, assertOnlyAcceptedOrAway } from '../support/accounted.ts';
import { endDrain, giveUpSoon, HELD_TIME, untilDraining } from '../support/faults/held-time.ts';
import { makeHome, postmasterOf } from '../support/home.ts';
import { hasStatus, type Load, startLoad } from '../support/load.ts';
import { prepareBusiness, startOwnCluster } from '../support/own-cluster.ts';
import { inTime, until } from '../support/patience.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { type Ended, launchService, type RunningProcess, startProcess } from '../support/process.ts';

const CLIENTS = 4;

test('threats 86, 90: SIGTERM while the database is unreachable', async (t) => {
  const home = await makeHome(t);
  const cluster = await startOwnCluster(t, home);
  const business = await prepareBusiness(cluster.url);
  const settings = { ...SECRETS_KEY, DATABASE_URL: cluster.url, ...HELD_TIME };
  const frozen = {
    take: () => cluster.freeze('server'),
    isFelt: (load: Load) => load.waiting() === CLIENTS,
    // Some requests still wait for the database when the ports close. The service has asked the other clients to close their
    // connections.
    mayShut: (load: Load) => load.waiting() + load.askedToClose() === CLIENTS,
  };
  const stopped = {
    take: async () => {
      await cluster.stop();
      return cluster.start;
    },
    isFelt: (load: Load) => load.count(hasStatus(503)) > 0,
    mayShut: (load: Load) => load.askedToClose() === CLIENTS,
  };
  // The start after a stop shows the stored data, and the same process receives the next SIGTERM.
  let service = await startProcess(t, { home, settings });
  for (const [how, { take, isFelt, mayShut }, next] of [
    ['frozen', frozen, {}],
    ['stopped', stopped, { DRAIN_MS: '1' }],
  ] as const) {
    await t.test(`threats 86, 90: SIGTERM under load while the database is ${how}`, async (t) => {
      const { baseUrl } = service;
      const load = startLoad({ baseUrl, business, clients: CLIENTS, whenClosed: 'leave' });
      t.after(() => load.stop());
      await until('buys are accepted', () => load.accepted() > 50);
      const giveBack = await take();
      await until('clients feel it', () => isFelt(load));
      service.kill('SIGTERM');
      await untilDraining(service);
      await until('no client is left between two requests', () => mayShut(load));
      endDrain(service);
      const giveTime = giveUpSoon(home);
      assert.deepEqual(await endOf(service), { code: 0, signal: null });
      await load.stop();
      assertOnlyAcceptedOrAway(load);
      await giveBack();
      giveTime();
      service = await startProcess(t, { home, settings: { ...settings, ...next } });
      const settle = { baseUrl, business, connection: cluster.connection };
      t.diagnostic(JSON.stringify(await assertAccounted(load, settle)));
    });
  }
  await t.test('threats 86, 90: SIGTERM while the database is frozen and connections are idle', async () => {
    const thaw = await cluster.freeze('server');
    giveUpSoon(home);
    service.kill('SIGTERM');
    assert.deepEqual(await endOf(service), { code: 0, signal: null });
    thaw();
  });
});

test('threat 90: SIGTERM while the service is starting leaves no database running', async (t) => {
  const home = await makeHome(t);
  for (const moment of ['making the database cluster', 'started the database']) {
    const starting = launchService(home);
    await until(`it says: ${moment}`, () => starting.stdout().includes(moment));
    starting.kill('SIGTERM');
    assert.deepEqual(await endOf(starting), { code: 0, signal: null }, moment);
    assert.equal(postmasterOf(home.dataDir), undefined, moment);
  }
});

/**
 * The timeouts of the process are far shorter than those of the test, so a process that takes longer would never have stopped.
 */
function endOf(running: RunningProcess): Promise<Ended> {
  return inTime('the process to end', running.ended);
}
