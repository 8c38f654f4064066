// Kills (kill -9) under load, again and again: the database alone, service and database at the same time as in a power cut, and
// the service alone while clients also use quotes. The service or its next start recovers, and no request that got a response
// is lost or duplicated. All services use the same data directory, one after another.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertAccounted, assertOnlyAcceptedOrAway } from '../support/accounted.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { startQuoteClients } from '../support/faults/quote-clients.ts';
import { connectionOf, type Home, killServer, postmasterOf, signalAll } from '../support/home.ts';
import { type Load, startLoad } from '../support/load.ts';
import { until } from '../support/patience.ts';
import { answersReady, type ServiceProcess, startProcess } from '../support/process.ts';

const KILLS = Number(process.env.FAULT_KILLS ?? 1);
const CLIENTS = 8;

test('threats 30, 86: kill -9 of the database, of all processes, and of the service', async (t) => {
  const home = await makeUsedHome(t);
  await t.test('threat 86: the embedded database is killed while the service runs, and is restarted', (t) =>
    killDatabase(t, home),
  );
  await t.test(
    `threats 30, 86: after ${KILLS} times kill -9 of service and database under load, nothing is lost or duplicated`,
    (t) => killEverything(t, home),
  );
  let service = await startProcess(t, { home });
  const quotes = startQuoteClients(service);
  t.after(() => quotes.stop());
  await t.test(
    `threat 30: after ${KILLS} times kill -9 of the service under load, nothing is lost or duplicated`,
    async (t) => {
      service = await killService(t, service, quotes.used);
    },
  );
  await t.test(
    `threat 30: ${KILLS} times kill -9 while quotes are used: each quote is used once, and every response stays valid`,
    async () => {
      const before = quotes.used();
      await until('quotes are used again', () => quotes.used() > before + 20);
      await quotes.stop();
      await quotes.assertUsedOnce(connectionOf(home.dataDir));
    },
  );
  assert.equal((await service.stop()).code, 0);
  assert.equal(postmasterOf(home.dataDir), undefined, 'the adopter stops the database');
});

function startBuys(t: TestContext, service: ServiceProcess): Load {
  const { baseUrl } = service;
  const load = startLoad({ baseUrl, business: service.business(), clients: CLIENTS });
  t.after(() => load.stop());
  return load;
}

const moreThan = (load: Load, count: number) => {
  const before = load.accepted();
  return until('buys are accepted', () => load.accepted() > before + count);
};

async function settleAccounts(t: TestContext, load: Load, service: ServiceProcess): Promise<void> {
  await load.stop();
  const { baseUrl, home } = service;
  const connection = connectionOf(home.dataDir);
  const accounts = await assertAccounted(load, { baseUrl, business: service.business(), connection });
  t.diagnostic(JSON.stringify(accounts));
}

async function killDatabase(t: TestContext, home: Home): Promise<void> {
  const service = await startProcess(t, { home });
  const load = startBuys(t, service);
  const kills = {
    'the first process alone': (pid: number) => signalAll([pid], 'SIGKILL'),
    'every process': () => killServer(home.dataDir),
  };
  for (const [who, kill] of Object.entries(kills)) {
    await moreThan(load, 50);
    const { pid } = postmasterOf(home.dataDir)!;
    kill(pid);
    await until(`another server runs (killed: ${who})`, () => {
      const now = postmasterOf(home.dataDir);
      return now !== undefined && now.pid !== pid;
    });
    await until('it is ready again', () => answersReady(service.baseUrl));
  }
  await moreThan(load, 50);
  await load.stop();
  assertOnlyAcceptedOrAway(load);
  await settleAccounts(t, load, service);
  assert.deepEqual(await service.stop(), { code: 0, signal: null });
  assert.equal(postmasterOf(home.dataDir), undefined);
}

async function killEverything(t: TestContext, home: Home): Promise<void> {
  let service = await startProcess(t, { home });
  const load = startBuys(t, service);
  for (let round = 1; round <= KILLS; round++) {
    await moreThan(load, 20);
    await sleep(Math.random() * 100);
    const killed = postmasterOf(home.dataDir)!.pid;
    killServer(home.dataDir, [service.pid]);
    assert.equal((await service.ended).signal, 'SIGKILL');
    service = await startProcess(t, { home });
    assert.notEqual(postmasterOf(home.dataDir)!.pid, killed, 'another server runs');
  }
  await settleAccounts(t, load, service);
  assert.equal((await service.stop()).code, 0);
  assert.equal(postmasterOf(home.dataDir), undefined);
}

/**
 * Kills the service while the database keeps running, and the next start uses that database again. Returns the last process.
 */
async function killService(
  t: TestContext,
  first: ServiceProcess,
  used: () => number,
): Promise<ServiceProcess> {
  const { home } = first;
  const server = postmasterOf(home.dataDir)!;
  let service = first;
  const load = startBuys(t, service);
  for (let round = 1; round <= KILLS; round++) {
    const usedBefore = used();
    await moreThan(load, 20);
    await until('quotes are used', () => used() > usedBefore + 20);
    await sleep(Math.random() * 100);
    service.kill('SIGKILL');
    assert.equal((await service.ended).signal, 'SIGKILL');
    assert.equal(postmasterOf(home.dataDir)?.pid, server.pid, 'the database stays');
    service = await startProcess(t, { home });
    assert.equal(postmasterOf(home.dataDir)?.pid, server.pid, 'the database is adopted');
  }
  await settleAccounts(t, load, service);
  return service;
}
