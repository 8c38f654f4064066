// A separate PostgreSQL server for one test, in place of the operator's server at DATABASE_URL. While a service uses it, the
// test can stop, start and freeze it, and can drop its connections.
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { EmbeddedConnection } from '../../src/adapters/embedded/server/connection.ts';
import { type EmbeddedServer, openEmbedded } from '../../src/adapters/embedded/server/open.ts';
import { addBusiness } from '../../src/app/back-office/manage-businesses.ts';
import { issueKey } from '../../src/app/back-office/manage-keys.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/log.ts';
import { openFoundation } from '../../src/wire/foundation.ts';
import { query } from './accounted.ts';
import { copyCluster } from './embedded/made-once.ts';
import { childrenOf, type Home, postmasterOf, signalAll } from './home.ts';
import { databaseTimeoutMs } from './patience.ts';
import { SECRETS_KEY } from './people/secrets-key.ts';
import type { TestBusiness } from './service.ts';

export interface OwnCluster {
  readonly url: string;
  readonly connection: EmbeddedConnection;
  start(): Promise<void>;
  /** Makes a fast shutdown, which rolls back open transactions and ends sessions. */
  stop(): Promise<void>;
  /** Ends every connection of the service, as a failover does, and returns their number. */
  dropConnections(): Promise<number>;
  /** Freezes the service's sessions or the whole server. Returns a function that resumes them. */
  freeze(what: 'sessions' | 'server'): Promise<() => void>;
}

const SESSIONS = `select pid from pg_stat_activity where application_name like 'sliproad%'
  and application_name <> 'sliproad-hold' and backend_type = 'client backend'`;

export async function startOwnCluster(t: TestContext, home: Home): Promise<OwnCluster> {
  const dataDir = path.join(home.root, 'cluster');
  let server: EmbeddedServer | undefined;
  const start = async () => {
    server = await openEmbedded({ dataDir, log: () => undefined });
  };
  const stop = async () => {
    await server?.release();
    server = undefined;
  };
  await copyCluster(dataDir, { migrated: true });
  await start();
  // This hook is registered after the home's own hook, so it runs before the home is emptied. After it, no process starts the
  // server again.
  t.after(stop);
  const { connection } = server!;
  const { host, port, user, database } = connection;
  return {
    url: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    connection,
    start,
    stop,
    dropConnections: async () => {
      const dropped = await query(
        connection,
        `select pg_terminate_backend(pid) from (${SESSIONS}) as service`,
      );
      return dropped.length;
    },
    freeze: async (what) => {
      const { pid } = postmasterOf(dataDir)!;
      const sessions = (await query<{ pid: number }>(connection, SESSIONS)).map((row) => row.pid);
      const frozen = what === 'sessions' ? sessions : [pid, ...childrenOf(pid)];
      const thaw = () => signalAll(frozen, 'SIGCONT');
      t.after(thaw);
      signalAll(frozen, 'SIGSTOP');
      return thaw;
    },
  };
}

/** Creates a business with keys on a migrated database, without the service. */
export async function prepareBusiness(url: string): Promise<TestBusiness> {
  const settings = {
    ...SECRETS_KEY,
    DATABASE_URL: url,
    DATABASE_TIMEOUT_MS: String(databaseTimeoutMs()),
  };
  const log = openLog('silent', 'svc-sec-key').logger;
  const foundation = {
    ...(await openFoundation(readConfig(settings), log)),
    actor: 'test',
  };
  try {
    const linkTag = 'acme';
    const added = await addBusiness(foundation, { name: 'Acme', linkTag, sandbox: false });
    if (!added.ok) throw new Error(added.error.message);
    const businessId = added.value.id;
    const testKey = (await issueKey(foundation, businessId, 'test'))!.secretKey;
    const liveKey = (await issueKey(foundation, businessId, 'live'))!.secretKey;
    return { businessId, linkTag, testKey, liveKey };
  } finally {
    await foundation.close();
  }
}
