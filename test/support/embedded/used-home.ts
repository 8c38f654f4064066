// A home in which a service has run before: its cluster is created and migrated, and it has a sandbox. The first test of a run
// that needs one creates it, and other tests copy it. A first start takes longer than everything else in most tests.
import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Home, makeHome } from '../home.ts';
import { startProcess } from '../process.ts';
import { copyWhole, madeOnce } from './made-once.ts';

export async function makeUsedHome(t: TestContext): Promise<Home> {
  const home = await makeHome(t);
  await useIn(t, home);
  return home;
}

/**
 * Puts an empty home into the state that it has after a service ran in it. The next start writes its own ports to sandbox.json.
 */
export async function useIn(t: TestContext, home: Home): Promise<void> {
  const template = await madeOnce('data', async (directory) => {
    await (await startProcess(t, { home })).stop();
    copyWhole(home.dataDir, directory);
  });
  if (!existsSync(home.dataDir)) copyWhole(template, home.dataDir);
}

/**
 * Runs a service and stops it normally, so that its compiled code is cached. A process that is killed would not store its
 * compiled code.
 */
export async function compileService(t: TestContext): Promise<void> {
  await madeOnce('data', async (directory) => {
    const home = await makeHome(t);
    await (await startProcess(t, { home })).stop();
    copyWhole(home.dataDir, directory);
  });
}
