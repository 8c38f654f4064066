// A home in which a service has run before: its cluster is made and migrated, its sandbox is there. The first test of a run that
// needs one makes it, the others copy it; a first start costs more than all the rest of most of them.
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

/** As if a service had run in a home where nothing is yet. The start that follows writes its own ports to sandbox.json. */
export async function useIn(t: TestContext, home: Home): Promise<void> {
  const template = await madeOnce('data', async (directory) => {
    await (await startProcess(t, { home })).stop();
    copyWhole(home.dataDir, directory);
  });
  if (!existsSync(home.dataDir)) copyWhole(template, home.dataDir);
}

/** A service has run and ended in order: its compiled code is there for those that will not. */
export async function compileService(t: TestContext): Promise<void> {
  await madeOnce('data', async (directory) => {
    const home = await makeHome(t);
    await (await startProcess(t, { home })).stop();
    copyWhole(home.dataDir, directory);
  });
}
