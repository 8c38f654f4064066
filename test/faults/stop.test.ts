// Tests SIGTERM under load. Accepted requests get their response, clients are asked to close their connections, and every
// request with a response is stored. The process exits with 0 and stops its database. STOP_ROUNDS makes the run longer.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertAccounted, query } from '../support/accounted.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { endDrain, HELD_TIME, untilDraining } from '../support/faults/held-time.ts';
import { connectionOf, type Home, postmasterOf } from '../support/home.ts';
import { isAccepted, type Load, startLoad } from '../support/load.ts';
import { until } from '../support/patience.ts';
import {
  answersReady,
  launchThroughNpm,
  runCommand,
  type ServiceProcess,
  startProcess,
} from '../support/process.ts';

const ROUNDS = Number(process.env.STOP_ROUNDS ?? 2);
const LEAVING = 8;
const RETURNING = 4;

test('threat 90: one data directory, and every way to stop the service', async (t) => {
  const home = await makeUsedHome(t);
  // The start after a stop shows the stored data, and the same process receives the next signal.
  let next: ServiceProcess | undefined;
  await t.test(
    'threat 90: after SIGTERM under load every received request gets a response, and the database stops',
    async () => {
      const service = await startProcess(t, { home, settings: HELD_TIME });
      const loads = await stopUnderLoad(t, service);
      next = await startProcess(t, { home, settings: { DRAIN_MS: '1' } });
      await assertStored(t, next, loads);
    },
  );
  await t.test(
    'SIGTERM writes the request log: every request with a response is in it after the next start',
    async () => {
      const ids = await answeredIds(next!);
      assert.deepEqual(await next!.ended, { code: 0, signal: null });
      next = await startProcess(t, { home, settings: { DRAIN_MS: '1' } });
      await assertLogged(next, ids);
    },
  );
  await t.test('threat 90: Ctrl-C stops the service and the database in the same way', async () => {
    next!.kill('SIGINT');
    assert.deepEqual(await next!.ended, { code: 0, signal: null }, 'Ctrl-C stops it just the same');
    assert.equal(postmasterOf(home.dataDir), undefined);
  });
  await t.test('a command that starts and stops the database prints only its own output', () =>
    assertQuiet(home),
  );
  await t.test('SIGTERM to npm reaches the service, and no process keeps running', async () => {
    const npm = launchThroughNpm(home);
    const baseUrl = `http://127.0.0.1:${home.port}`;
    await until('the service is ready', () => answersReady(baseUrl));
    npm.kill('SIGTERM');
    await npm.ended;
    await until('the service is gone', async () => !(await answersReady(baseUrl)));
    await until('the database is gone', () => postmasterOf(home.dataDir) === undefined);
  });
});

interface Loads {
  readonly leaving: Load;
  readonly returning: Load;
}

async function stopUnderLoad(t: TestContext, service: ServiceProcess): Promise<Loads> {
  const { home, baseUrl } = service;
  const business = service.business();
  // As with a load balancer, a client that must close goes to another process.
  const leaving = startLoad({ baseUrl, business, clients: LEAVING, whenClosed: 'leave' });
  // As without a load balancer, a client that must close returns at once on a new connection.
  const returning = startLoad({ baseUrl, business, clients: RETURNING, whenClosed: 'reconnect' });
  t.after(() => Promise.all([leaving.stop(), returning.stop()]));
  await until('buys are accepted', () => leaving.accepted() > 100 && returning.accepted() > 50);

  service.kill('SIGTERM');
  for (const again of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) {
    await sleep(120);
    service.kill(again);
  }
  await untilDraining(service);
  await until(
    'every client was asked to close',
    () => leaving.askedToClose() === LEAVING && returning.askedToClose() === RETURNING,
  );
  endDrain(service);
  assert.deepEqual(await service.ended, { code: 0, signal: null });
  assert.match(service.stdout(), /"msg":"stopped"/);
  assert.doesNotMatch(
    service.stdout(),
    /terminating connection/,
    'its own stop of the database is no trouble',
  );
  assert.equal(postmasterOf(home.dataDir), undefined, 'the database is stopped');
  await Promise.all([leaving.stop(), returning.stop()]);
  const unanswered = [...leaving.outcomes].filter(([, outcome]) => !isAccepted(outcome));
  assert.deepEqual(unanswered, [], 'requests on open connections that got no answer');
  return { leaving, returning };
}

async function assertStored(t: TestContext, next: ServiceProcess, loads: Loads): Promise<void> {
  const { leaving, returning } = loads;
  const connection = connectionOf(next.home.dataDir);
  // A connection may still be in the kernel's queue when the listener closes. Such a connection is reset, and the service has
  // read nothing from it.
  for (const [reference, outcome] of returning.outcomes) {
    if (isAccepted(outcome)) continue;
    assert.ok(outcome.kind === 'lost' && !outcome.reusedConnection, JSON.stringify(outcome));
    const rows = await query(connection, 'select id from transactions where reference = $1', [reference]);
    assert.deepEqual(rows, [], `${reference} was taken and must be answered`);
  }
  const settle = { baseUrl: next.baseUrl, business: next.business(), connection };
  t.diagnostic(JSON.stringify(await assertAccounted(leaving, settle)));
  t.diagnostic(JSON.stringify(await assertAccounted(returning, settle)));
}

/** Returns the ids of transactions whose requests got a response just before SIGTERM. */
async function answeredIds(service: ServiceProcess): Promise<readonly string[]> {
  const headers = { 'svc-sec-key': service.sandbox().test_key, 'content-type': 'application/json' };
  const post = () =>
    fetch(`${service.baseUrl}/transactions/v1/onramp`, { method: 'POST', headers, body: '{}' });
  const answers = await Promise.all(Array.from({ length: 200 }, post));
  service.kill('SIGTERM');
  return answers.map((answer) => answer.headers.get('request-id')!);
}

async function assertLogged(service: ServiceProcess, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const answer = await fetch(`${service.baseUrl}/requests/v1/${id}`, {
      headers: { 'svc-sec-key': service.sandbox().test_key },
    });
    assert.equal(answer.status, 200, id);
  }
}

async function assertQuiet(home: Home): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const { code, stdout, stderr } = await runCommand(home, ['movements', 'status']);
    assert.deepEqual([code, stdout, stderr], [0, 'Money movements are not paused.\n', '']);
  }
}
