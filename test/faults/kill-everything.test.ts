// kill -9 of the service and of every process of its database at one moment, again and again under load, as a power cut
// does it: the next start recovers, and nothing that was answered is lost or doubled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertAccounted } from '../support/accounted.ts';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { connectionOf, killServer, postmasterOf } from '../support/home.ts';
import { startLoad } from '../support/load.ts';
import { until } from '../support/patience.ts';
import { startProcess } from '../support/process.ts';

/** FAULT_KILLS=20 for a longer run. */
const KILLS = Number(process.env.FAULT_KILLS ?? 1);

test(`threats 30, 86: kill -9 of service and database under load, ${KILLS} times, loses and doubles nothing`, async (t) => {
  const home = await makeUsedHome(t);
  let service = await startProcess(t, { home });
  const business = service.business();
  const { baseUrl } = service;
  const load = startLoad({ baseUrl, business, clients: 8 });
  t.after(() => load.stop());
  for (let round = 1; round <= KILLS; round++) {
    const before = load.accepted();
    await until('buys are accepted', () => load.accepted() > before + 20);
    await sleep(Math.random() * 100);
    const killed = postmasterOf(home.dataDir)!.pid;
    killServer(home.dataDir, [service.pid]);
    assert.equal((await service.ended).signal, 'SIGKILL');
    service = await startProcess(t, { home });
    assert.notEqual(postmasterOf(home.dataDir)!.pid, killed, 'another server runs');
  }
  await load.stop();
  const accounts = await assertAccounted(load, { baseUrl, business, connection: connectionOf(home.dataDir) });
  t.diagnostic(JSON.stringify(accounts));
  assert.equal((await service.stop()).code, 0);
  assert.equal(postmasterOf(home.dataDir), undefined);
});
