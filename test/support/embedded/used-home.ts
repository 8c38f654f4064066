// A home in which a service has run before: its cluster is created and migrated, and it has a sandbox. The first test of a run
// that needs one creates it, and the others copy it, because a first start takes longer than the rest of most tests.
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Home, makeHome } from '../home.ts';
import { startProcess } from '../process.ts';
import { copyWhole, madeOnce } from './made-once.ts';

/** For tests that are not about the first start. */
export async function makeUsedHome(t: TestContext): Promise<Home> {
  const home = await makeHome(t);
  await useIn(t, home);
  return home;
}

/** Puts an empty home into the state after a service has run in it. The next start writes its own ports to sandbox.json. */
export async function useIn(t: TestContext, home: Home): Promise<void> {
  const template = await madeOnce('data', async (directory) => {
    await (await startProcess(t, { home })).stop();
    copyWhole(home.dataDir, directory);
  });
  if (!existsSync(home.dataDir)) copyWhole(template, home.dataDir);
}

/** Runs a service and stops it normally, so that its compiled code is cached for processes that will be killed. */
export async function compileService(t: TestContext): Promise<void> {
  await madeOnce('data', async (directory) => {
    const home = await makeHome(t);
    await (await startProcess(t, { home })).stop();
    copyWhole(home.dataDir, directory);
  });
}
