// Makes test mode usable at every start: with sample vendors and rates, and with tokens and naira for payments. With the
// embedded database it also makes a sandbox business and a file with its credentials. Processes that start together do this one
// after the other.
import { setTimeout as sleep } from 'node:timers/promises';
import { withDatabaseLock } from '../adapters/postgres/connection/migrate.ts';
import { makeSandboxFile } from '../adapters/sandbox-file.ts';
import { SAMPLE_RATES, SAMPLE_VENDORS } from '../adapters/simulation/samples.ts';
import { decideBooks } from '../app/rates/decide-books.ts';
import { fundTestMode } from '../app/sandbox/fund-test-mode.ts';
import { disableSandboxPeople } from '../app/sandbox/prepare-sandbox-people.ts';
import { prepareSandbox, prepareTestMode } from '../app/sandbox/prepare-test-mode.ts';
import { serviceActor } from '../domain/people/actor.ts';
import type { Network, Networks } from '../ports/networks/network.ts';
import { listSandboxPeople, type SandboxPersonName } from '../ports/sandbox-file.ts';
import type { Foundation } from './foundation.ts';
import type { PublicUrls } from './public-urls.ts';

export interface SandboxAccess {
  readonly file: string;
  readonly testKey: string;
  readonly businessId: string;
  /** False if the live key is lost or revoked. */
  readonly hasLiveKey: boolean;
  /** The people who can sign in with the credentials in the file. The list is empty if the installation moves real money. */
  readonly people: readonly SandboxPersonName[];
}

/** Returns the credentials of the sandbox business; null if the service has no path for their file. */
export async function makeTestModeUsable(
  foundation: Foundation,
  sandboxPath: string | null,
  urls: PublicUrls,
  /** Warns about sandbox people who are still enabled although the installation moves real money. */
  warnOf: (emails: readonly string[]) => void,
): Promise<SandboxAccess | null> {
  const deps = { ...foundation, actor: serviceActor('setup') };
  return withDatabaseLock(foundation.connection, 'sandbox', async () => {
    await prepareTestMode(deps, { vendors: SAMPLE_VENDORS, rates: SAMPLE_RATES });
    await decideAllBooks(foundation);
    await fundNetworks(foundation, foundation.networks);
    if (sandboxPath === null) return null;
    const { isReal } = foundation;
    if (isReal) warnOf(await disableSandboxPeople(deps.people, deps.actor));
    const credentials = await prepareSandbox(
      { ...deps, file: makeSandboxFile(sandboxPath), isReal },
      { base_url: urls.main, otc_base_url: urls.otc },
    );
    const { test_key: testKey, business_id: businessId, live_key } = credentials;
    const people = listSandboxPeople(credentials);
    return { file: sandboxPath, testKey, businessId, hasLiveKey: live_key !== null, people };
  });
}

/**
 * The rate books must be decided before the service is ready. If another process is deciding a book, that process finishes in a
 * moment.
 */
async function decideAllBooks(foundation: Foundation): Promise<void> {
  while ((await decideBooks(foundation)) === 'busy') await sleep(20);
}

export async function fundNetwork(foundation: Omit<Foundation, 'close'>, network: Network): Promise<void> {
  await withDatabaseLock(foundation.connection, 'sandbox', () =>
    fundNetworks(foundation, { enabled: () => [network] }),
  );
}

async function fundNetworks(
  foundation: Omit<Foundation, 'close'>,
  networks: Pick<Networks, 'enabled'>,
): Promise<void> {
  // Local chains were funded before the service first read them. They are created again at each start.
  const local = foundation.networksFile.instance !== null;
  await fundTestMode({ ...foundation, networks, opens: ({ native }) => native === null || local });
}
