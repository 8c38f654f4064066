// The environment of a chaos run: a separate PostgreSQL with the durability settings of production, several services as
// processes, customers with their errands, and a witness.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import pino from 'pino';
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { changeSetting } from '../../../src/app/back-office/change-setting.ts';
import { addBusiness } from '../../../src/app/back-office/manage-businesses.ts';
import { issueKey } from '../../../src/app/back-office/manage-keys.ts';
import { readConfig } from '../../../src/config.ts';
import { type DescribedFoundation, openFoundation } from '../../../src/wire/foundation.ts';
import { query } from '../accounted.ts';
import { makeHome } from '../home.ts';
import { databaseTimeoutMs } from '../patience.ts';
import { SECRETS_KEY } from '../people/secrets-key.ts';
import type { TestBusiness } from '../service.ts';
import { type Clients, startClients } from './clients.ts';
import { type CrashingCluster, startCrashingCluster } from './cluster.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { claimsOf, drawErrands, type Lifecycle } from './stories.ts';
import { startWitness, type Witness } from './witness.ts';

export interface Stage {
  readonly cluster: CrashingCluster;
  readonly foundation: DescribedFoundation;
  readonly fleet: Fleet;
  readonly clients: Clients;
  readonly witness: Witness;
  readonly errands: number;
  readonly lifecycles: readonly Lifecycle[];
  readonly beganAt: number;
  readonly durability: string;
}

export const PROCESSES = 3;
/** Simultaneous customers. */
const CLIENTS = 24;
export const FAULT_PERCENT = 10;

export async function openStage(
  t: TestContext,
  { seed, lifecycles: count }: { readonly seed: string; readonly lifecycles: number },
): Promise<Stage> {
  const home = await makeHome(t);
  const cluster = await startCrashingCluster(t, home);
  const config = readConfig({
    ...SECRETS_KEY,
    DATABASE_URL: cluster.url,
    DATABASE_TIMEOUT_MS: String(databaseTimeoutMs()),
  });
  const foundation = await openFoundation(config, pino({ level: 'silent' }));
  t.after(() => foundation.close());
  const durability = await durabilityOf(foundation);
  const errands = drawErrands(seed, count, await makeBusinesses(foundation));
  const lifecycles = claimsOf(errands);
  const fleet = await startFleet(t, home, PROCESSES, {
    ...SECRETS_KEY,
    DATABASE_URL: cluster.url,
    SETTLE_LEASE_MS: '1500',
    SANDBOX_PACE_MS: '60',
    SANDBOX_FAULT_PERCENT: String(FAULT_PERCENT),
    SANDBOX_SEED: seed,
  });
  const clients = startClients(fleet.urls, errands, CLIENTS);
  t.after(() => clients.stop());
  const witness = startWitness(fleet.urls, lifecycles, clients.acceptedIds);
  t.after(() => witness.stop().catch(() => undefined));
  const beganAt = performance.now();
  return {
    cluster,
    foundation,
    fleet,
    clients,
    witness,
    errands: errands.length,
    lifecycles,
    beganAt,
    durability,
  };
}

/** Without these settings, a server crash may lose requests that got a response, and the run would prove nothing. */
async function durabilityOf({ connection }: DescribedFoundation): Promise<string> {
  const rows = await query<{ name: string; setting: string }>(
    connection,
    `select name, setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`,
  );
  const text = rows.map(({ name, setting }) => `${name}=${setting}`).join(' ');
  assert.equal(text, 'fsync=on full_page_writes=on synchronous_commit=on');
  return text;
}

async function makeBusinesses(foundation: DescribedFoundation): Promise<TestBusiness[]> {
  const deps = { ...foundation, actor: 'test' };
  const businesses: TestBusiness[] = [];
  for (const linkTag of ['first', 'second', 'third']) {
    const added = await addBusiness(deps, { name: `Business ${linkTag}`, linkTag, sandbox: false });
    assert.ok(added.ok);
    const businessId = added.value.id;
    const testKey = (await issueKey(deps, businessId, 'test'))!.secretKey;
    businesses.push({ businessId, linkTag, testKey, liveKey: '' });
  }
  const { businessId } = businesses.at(-1)!;
  for (const product of ['buy', 'sell'] as const) {
    const fee = { businessId, mode: 'test', product, flatMinor: 50_00n, feeBps: 75, capMinor: null } as const;
    const request = { setting: 'fee_set', fee: { ...fee, fromMs: null } } as const;
    assert.ok((await changeSetting(deps, request, deps)).ok);
  }
  return businesses;
}

/**
 * Finds records that are leased or due now. A record that only waits for its expiry is due much later, and a finished record is
 * never due.
 */
const UNDER_WAY = ['transaction_states', 'bank_credits', 'deposits', 'movements', 'bank_notices']
  .map((table) => `select 1 from ${table} where due_at < now() + interval '1 minute'`)
  .join(' union all ');

export async function countUnderWay(database: Database): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    text: `select count(*)::int as count from (${UNDER_WAY}) as due`,
  });
  return rows[0]!.count;
}
