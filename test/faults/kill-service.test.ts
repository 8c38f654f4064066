// kill -9 of the service alone, again and again under load: its database is left behind, the next start adopts it, and
// nothing that was answered is lost or doubled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertAccounted } from '../support/accounted.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { connectionOf, postmasterOf } from '../support/home.ts';
import { startLoad } from '../support/load.ts';
import { until } from '../support/patience.ts';
import { startProcess } from '../support/process.ts';

/** FAULT_KILLS=20 for a longer run. */
const KILLS = Number(process.env.FAULT_KILLS ?? 1);

test(`threat 30: kill -9 of the service under load, ${KILLS} times, loses and doubles nothing`, async (t) => {
  const home = await makeUsedHome(t);
  let service = await startProcess(t, { home });
  const server = postmasterOf(home.dataDir)!;
  const business = service.business();
  const { baseUrl } = service;
  const load = startLoad({ baseUrl, business, clients: 8 });
  t.after(() => load.stop());
  for (let round = 1; round <= KILLS; round++) {
    const before = load.accepted();
    await until('buys are accepted', () => load.accepted() > before + 20);
    await sleep(Math.random() * 100);
    service.kill('SIGKILL');
    assert.equal((await service.ended).signal, 'SIGKILL');
    assert.equal(postmasterOf(home.dataDir)?.pid, server.pid, 'the database stays');
    service = await startProcess(t, { home });
    assert.equal(postmasterOf(home.dataDir)?.pid, server.pid, 'the database is adopted');
  }
  await load.stop();
  const accounts = await assertAccounted(load, { baseUrl, business, connection: connectionOf(home.dataDir) });
  t.diagnostic(JSON.stringify(accounts));
  assert.equal((await service.stop()).code, 0);
  assert.equal(postmasterOf(home.dataDir), undefined, 'the adopter stops the database');
});
