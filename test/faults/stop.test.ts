// SIGTERM under load: requests that were let in are answered, clients are asked to close, everything answered is stored, and the
// process ends with 0 and takes its database along.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertAccounted, query } from '../support/accounted.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { connectionOf, postmasterOf } from '../support/home.ts';
import { isAccepted, startLoad } from '../support/load.ts';
import { until } from '../support/patience.ts';
import { answersReady, launchThroughNpm, runCommand, startProcess } from '../support/process.ts';

test('threat 90: SIGTERM under load answers every request that was sent, and stops the database', async (t) => {
  // Long enough that a client which a slow machine keeps waiting is asked to close, too.
  const service = await startProcess(t, { home: await makeUsedHome(t), settings: { DRAIN_MS: '3000' } });
  const { home, baseUrl } = service;
  const business = service.business();
  // As behind a balancer: a client that is asked to close goes elsewhere.
  const leaving = startLoad({ baseUrl, business, clients: 8, whenClosed: 'leave' });
  // As without one: a client that is asked to close comes back at once, on a new connection.
  const returning = startLoad({ baseUrl, business, clients: 4, whenClosed: 'reconnect' });
  t.after(() => Promise.all([leaving.stop(), returning.stop()]));
  await until('buys are accepted', () => leaving.accepted() > 100 && returning.accepted() > 50);

  service.kill('SIGTERM');
  for (const again of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) {
    await sleep(120);
    service.kill(again);
  }
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

  const next = await startProcess(t, { home });
  // A connection can still be in the kernel's queue when the listener closes. It is reset: the service has read nothing from it.
  for (const [reference, outcome] of returning.outcomes) {
    if (isAccepted(outcome)) continue;
    assert.ok(outcome.kind === 'lost' && !outcome.reusedConnection, JSON.stringify(outcome));
    const rows = await query(connectionOf(home.dataDir), 'select id from transactions where reference = $1', [
      reference,
    ]);
    assert.deepEqual(rows, [], `${reference} was taken and must be answered`);
  }
  const settle = { baseUrl, business, connection: connectionOf(home.dataDir) };
  t.diagnostic(JSON.stringify(await assertAccounted(leaving, settle)));
  t.diagnostic(JSON.stringify(await assertAccounted(returning, settle)));
  next.kill('SIGINT');
  assert.deepEqual(await next.ended, { code: 0, signal: null }, 'Ctrl-C stops it just the same');
  assert.equal(postmasterOf(home.dataDir), undefined);
});

test('a command that starts the database and stops it again says nothing but its answer', async (t) => {
  const home = await makeUsedHome(t);
  for (let round = 0; round < 5; round++) {
    const { code, stdout, stderr } = await runCommand(home, ['movements', 'status']);
    assert.deepEqual([code, stdout, stderr], [0, 'Money movements are not paused.\n', '']);
  }
});

test('SIGTERM to npm reaches the service, and nothing is left behind', async (t) => {
  const home = await makeUsedHome(t);
  const npm = launchThroughNpm(home);
  const baseUrl = `http://127.0.0.1:${home.port}`;
  await until('the service is ready', () => answersReady(baseUrl));
  npm.kill('SIGTERM');
  await npm.ended;
  await until('the service is gone', async () => !(await answersReady(baseUrl)));
  await until('the database is gone', () => postmasterOf(home.dataDir) === undefined);
});
