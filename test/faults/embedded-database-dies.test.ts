// The embedded database is killed under a running service: it is started again and the service continues by itself, with
// nothing worse than 503 in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccounted, assertOnlyAcceptedOrAway } from '../support/accounted.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { connectionOf, killServer, postmasterOf, signalAll } from '../support/home.ts';
import { startLoad } from '../support/load.ts';
import { until } from '../support/patience.ts';
import { answersReady, startProcess } from '../support/process.ts';

test('threat 86: the embedded database is killed under the service, and comes back', async (t) => {
  const service = await startProcess(t, { home: await makeUsedHome(t) });
  const { home, baseUrl } = service;
  const business = service.business();
  const load = startLoad({ baseUrl, business, clients: 8 });
  t.after(() => load.stop());
  const kills = {
    'the first process alone': (pid: number) => signalAll([pid], 'SIGKILL'),
    'every process': () => killServer(home.dataDir),
  };
  for (const [who, kill] of Object.entries(kills)) {
    const before = load.accepted();
    await until('buys are accepted', () => load.accepted() > before + 50);
    const { pid } = postmasterOf(home.dataDir)!;
    kill(pid);
    await until(`another server runs (killed: ${who})`, () => {
      const now = postmasterOf(home.dataDir);
      return now !== undefined && now.pid !== pid;
    });
    await until('it is ready again', () => answersReady(baseUrl));
  }
  const before = load.accepted();
  await until('buys are accepted again', () => load.accepted() > before + 50);
  await load.stop();
  assertOnlyAcceptedOrAway(load);
  const settle = { baseUrl, business, connection: connectionOf(home.dataDir) };
  t.diagnostic(JSON.stringify(await assertAccounted(load, settle)));
  assert.deepEqual(await service.stop(), { code: 0, signal: null });
  assert.equal(postmasterOf(home.dataDir), undefined);
});
