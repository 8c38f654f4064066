// The only file that knows every adapter: it builds the service, and the parts of it that the command line needs.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { loadBankDirectory } from './adapters/banks/directory.ts';
import { SAMPLE_VENDORS } from './adapters/banks/sample-vendors.ts';
import { type BackupOptions, type BackupResult, backupEmbedded } from './adapters/embedded/backup.ts';
import { EmbeddedError } from './adapters/embedded/errors.ts';
import { openEmbedded } from './adapters/embedded/open.ts';
import { type RestoreOptions, type RestoreResult, restoreEmbedded } from './adapters/embedded/restore.ts';
import { makeNetworks, simulatedNetworks } from './adapters/networks/registry.ts';
import { makeBackOffice } from './adapters/postgres/back-office.ts';
import { openCatalogue, untilCurrent } from './adapters/postgres/catalogue.ts';
import { type ConnectionSettings, type Database, openDatabase } from './adapters/postgres/database.ts';
import { withLock } from './adapters/postgres/lock.ts';
import { MigrationError, migrate } from './adapters/postgres/migrate.ts';
import { makePostgresStore } from './adapters/postgres/store.ts';
import { sampleRates } from './adapters/rates/sample.ts';
import { sandboxFile } from './adapters/sandbox-file.ts';
import { startDatabaseClock, systemEntropy } from './adapters/system.ts';
import { makeAuthenticator } from './app/authenticate.ts';
import type { RailsEnabled } from './app/caller.ts';
import type { BackOfficeDeps } from './app/manage-keys.ts';
import { prepareSandbox, prepareTestMode } from './app/prepare-test-mode.ts';
import { type Config, ConfigError } from './config.ts';
import type { BankDirectory } from './domain/banks.ts';
import { makeMetrics } from './http/metrics.ts';
import { makeServers, type ServerOptions, type Servers } from './http/servers.ts';
import type { Log } from './log.ts';
import type { Clock, Entropy } from './ports/clock.ts';
import type { Networks } from './ports/network.ts';
import { forgetIdempotencyKeys } from './workers/forget-idempotency-keys.ts';

const START_PATIENCE_MS = 30_000;
/** Test mode is simulated; live mode has a rail once an operator has configured one. */
const RAILS: RailsEnabled = { live: false, test: true };

export const VERSION = (
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }
).version;

export interface Foundation {
  readonly connection: ConnectionSettings;
  readonly database: Database;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly banks: BankDirectory;
  readonly networks: Networks;
  readonly backOffice: BackOfficeDeps['backOffice'];
  close(): Promise<void>;
}

/** The database, migrated, and what stands directly on it. Enough for the command line. */
export async function openFoundation(config: Config, log: Logger): Promise<Foundation> {
  const onError = (error: Error) => log.warn({ err: error }, 'database connection');
  const embedded =
    config.databaseUrl === null
      ? await openEmbedded({
          dataDir: config.dataDir,
          log: (message, detail) => log.info({ ...detail }, message),
        })
      : undefined;
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl! };
  try {
    const applied = await patiently(log, () => migrate(connection));
    if (applied.length > 0) log.info({ migrations: applied }, 'migrated');
    const database = openDatabase({
      connection,
      poolSize: config.databasePoolSize,
      answerTimeoutMs: config.databaseTimeoutMs,
      applicationName: 'sliproad',
      onError,
    });
    const clock = await startDatabaseClock(database, onError);
    return {
      connection,
      database,
      clock,
      entropy: systemEntropy(),
      banks: loadBankDirectory(),
      networks: makeNetworks({ live: [], test: simulatedNetworks({ offCurve: config.offCurveWallets }) }),
      backOffice: makeBackOffice(database),
      close: async () => {
        clock.close();
        await database.close();
        await embedded?.release();
      },
    };
  } catch (error) {
    await embedded?.release();
    throw config.databaseUrl === null ? error : namingItsSetting(error as NodeJS.ErrnoException);
  }
}

/** Not there, or not letting us in: the operator has to look at the setting, not at a stack. */
function namingItsSetting(error: NodeJS.ErrnoException): Error {
  const { code = '', message } = error;
  if (!/^(08|28|3D|53|57P|42501|E[A-Z_]+$)/.test(code)) return error;
  return new ConfigError(`The database at DATABASE_URL cannot be used: ${message || code}.`, {
    cause: error,
  });
}

/** A server of the operator's own may start at the same time as we do. */
async function patiently<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + START_PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const away = /^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|57P03)$/.test(code ?? '');
      if (!away || performance.now() > giveUpAt) throw error;
      if (attempt === 1) log.warn({ code }, 'waiting for the database');
      await sleep(500);
    }
  }
}

export interface Service {
  readonly baseUrl: string;
  readonly servers: Servers;
  /** Null when the database is the operator's own. */
  readonly sandbox: { readonly file: string; readonly testKey: string } | null;
  /** From now on every answer closes its connection, and the service is not ready. */
  beginDraining(): void;
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly extend?: (parts: ServiceParts) => NonNullable<ServerOptions['extend']>;
}

export interface ServiceParts {
  readonly foundation: Foundation;
  readonly buy: ServerOptions['buy'];
}

export async function openService(
  config: Config,
  log: Pick<Log, 'logger' | 'plain'>,
  options: ServiceOptions = {},
): Promise<Service> {
  const foundation = await openFoundation(config, log.logger);
  try {
    return await openServiceOn(foundation, config, log, options);
  } catch (error) {
    await foundation.close();
    throw error;
  }
}

async function openServiceOn(
  foundation: Foundation,
  config: Config,
  { logger: log, plain: accessLog }: Pick<Log, 'logger' | 'plain'>,
  options: ServiceOptions,
): Promise<Service> {
  const { connection, database, clock, entropy, banks, networks } = foundation;
  const onError = (error: Error) => log.warn({ err: error }, 'background work');
  const sandboxPath = config.databaseUrl === null ? path.join(config.dataDir, 'sandbox.json') : null;
  const urls = addresses(config);
  const sandbox = await prepare(foundation, sandboxPath, urls);

  const catalogue = openCatalogue(database, connection, onError);
  await untilCurrent(catalogue, START_PATIENCE_MS);
  let draining = false;
  const metrics = makeMetrics({
    sliproad_catalogue_current: {
      help: '1 while keys, vendors and rates in memory are known to be those of the database.',
      read: () => (catalogue.current() === undefined ? 0 : 1),
    },
    sliproad_movements_paused: {
      help: '1 while money movements are paused.',
      read: () => (catalogue.current()?.movementsPaused ? 1 : 0),
    },
  });
  const store = makePostgresStore(database, metrics.observeBatch);
  const forgetting = forgetIdempotencyKeys({ store, clock, onError }, config.idempotencyKeepMs);
  const common = { store, banks, networks, rails: RAILS, clock, entropy };
  const buy = { ...common, bounds: config.buyBounds, expiryMs: config.buyExpiryMs };
  const extend = options.extend?.({ foundation, buy });
  const servers = await makeServers({
    ...config,
    log,
    accessLog,
    metrics,
    metricsAccess: metricsAccess(config),
    draining: () => draining,
    notReadyBecause: async () => {
      if (draining) return 'The service is shutting down.';
      return database.query({ text: 'select 1' }).then(
        () => undefined,
        () => 'The database does not answer.',
      );
    },
    authenticator: makeAuthenticator({ catalogue, clock }),
    entropy,
    clock,
    store,
    networks,
    buy,
    sell: { ...common, bounds: config.sellBounds, expiryMs: config.depositExpiryMs },
    baseUrl: urls.base_url,
    otcBaseUrl: urls.otc_base_url,
    version: VERSION,
    home: {
      version: VERSION,
      credentialsFile: sandboxPath && (isPrivate(config) ? sandboxPath : 'DATA_DIR/sandbox.json'),
    },
    ...(extend !== undefined && { extend }),
  });
  return {
    servers,
    baseUrl: urls.base_url,
    sandbox,
    beginDraining: () => {
      draining = true;
    },
    close: async () => {
      draining = true;
      await Promise.all([servers.main.close(), servers.otc.close()]);
      await forgetting.stop();
      await store.drain();
      await catalogue.close();
      await foundation.close();
    },
  };
}

async function prepare(
  foundation: Foundation,
  sandboxPath: string | null,
  urls: { base_url: string; otc_base_url: string },
): Promise<Service['sandbox']> {
  const deps = { ...foundation, actor: 'setup' };
  return withLock(foundation.connection, 'sandbox', async () => {
    await prepareTestMode(deps, { vendors: SAMPLE_VENDORS, rates: sampleRates });
    if (sandboxPath === null) return null;
    const credentials = await prepareSandbox({ ...deps, file: sandboxFile(sandboxPath) }, urls);
    return { file: sandboxPath, testKey: credentials.test_key };
  });
}

function addresses(config: Config): { base_url: string; otc_base_url: string } {
  const scheme = config.tls === null ? 'http' : 'https';
  const anywhere = config.host === '0.0.0.0' || config.host === '::';
  const name = anywhere ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    base_url: config.publicBaseUrl ?? `${scheme}://${name}:${config.port}`,
    otc_base_url: config.publicOtcBaseUrl ?? `${scheme}://${name}:${config.otcPort}`,
  };
}

function metricsAccess(config: Config): ServerOptions['metricsAccess'] {
  if (config.metricsToken !== null) return { token: config.metricsToken };
  return isPrivate(config) ? 'open' : 'closed';
}

/** Only this machine can ask, and nobody asks on another's behalf. */
function isPrivate(config: Config): boolean {
  return /^(127\.|::1$|localhost$)/.test(config.host) && config.trustProxy === false;
}

export { loadBankDirectory };

/** Failures whose message is written for the operator. */
export function isOperatorError(error: unknown): boolean {
  return error instanceof EmbeddedError || error instanceof MigrationError;
}

export function backupData(
  config: Config,
  log: Logger,
  targetDir: string,
  onProgress: NonNullable<BackupOptions['onProgress']>,
): Promise<BackupResult> {
  const { dataDir } = config;
  return backupEmbedded({
    dataDir,
    targetDir,
    onProgress,
    log: (message, detail) => log.info(detail, message),
  });
}

/** A restored copy does not know what happened since: it starts with money movements paused. */
export function restoreData(
  config: Config,
  log: Logger,
  sourceDir: string,
  onProgress: NonNullable<RestoreOptions['onProgress']>,
): Promise<RestoreResult> {
  return restoreEmbedded({
    dataDir: config.dataDir,
    sourceDir,
    onProgress,
    log: (message, detail) => log.info(detail, message),
    onRestored: async (connection) => {
      await migrate(connection);
      const database = openDatabase({
        connection,
        poolSize: 1,
        answerTimeoutMs: config.databaseTimeoutMs,
        applicationName: 'sliproad-restore',
        onError: (error) => log.warn({ err: error }, 'database connection'),
      });
      const doing = { actor: 'restore', atMs: Date.now() };
      await makeBackOffice(database)
        .setMovementsPaused(true, 'restored from a backup', doing)
        .finally(() => database.close());
    },
  });
}
