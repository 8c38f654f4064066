// A home in which a service has run before: its cluster is made and migrated, its sandbox is there. The first test of a run that
// needs one makes it, the others copy it; a first start costs more than all the rest of most of them.
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { onCluster } from '../database.ts';
import { type Home, makeHome } from '../home.ts';
import { startProcess } from '../process.ts';

/** Arbitrary, the same in every process. */
const LOCK = 727_301_101;

/** For tests that are not about the first start. */
export async function makeUsedHome(t: TestContext): Promise<Home> {
  const home = await makeHome(t);
  await useIn(t, home);
  return home;
}

/** As if a service had run in a home where nothing is yet. The start that follows writes its own ports to sandbox.json. */
export async function useIn(t: TestContext, home: Home): Promise<void> {
  const template = path.join(templateDir(), 'data');
  // The lock ends with its session: a test that is killed while it makes the template holds no other one up.
  await onCluster(async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    if (existsSync(template)) return;
    await (await startProcess(t, { home })).stop();
    const unfinished = path.join(templateDir(), 'unfinished');
    rmSync(unfinished, { recursive: true, force: true });
    copy(home.dataDir, unfinished);
    renameSync(unfinished, template);
  });
  if (!existsSync(home.dataDir)) copy(template, home.dataDir);
}

/** With owners and permissions: as root, the cluster belongs to another user. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-Rp', from, to]);
}

function templateDir(): string {
  const dir = process.env.SLIPROAD_TEST_HOME;
  if (dir === undefined)
    throw new Error('Run tests through npm test: it has a place for the home they copy.');
  return dir;
}
