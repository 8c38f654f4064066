// Builds the service. This file and those in wire/ are the only ones that know every adapter.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { loadBankDirectory } from './adapters/banks/directory.ts';
import { SAMPLE_VENDORS } from './adapters/banks/sample-vendors.ts';
import { EmbeddedError } from './adapters/embedded/files/errors.ts';
import { NetworkSettingsError } from './adapters/networks/settings/file.ts';
import { openCatalogue, untilCurrent } from './adapters/postgres/catalogue/catalogue.ts';
import { isSuperuser } from './adapters/postgres/connection/database.ts';
import { withLock } from './adapters/postgres/connection/lock.ts';
import { MigrationError } from './adapters/postgres/connection/migrate.ts';
import { setUpRecords } from './adapters/postgres/networks/set-up-records.ts';
import { makeQueueMetrics } from './adapters/postgres/reads/queue-metrics.ts';
import { makePostgresStore } from './adapters/postgres/store.ts';
import { sampleRates } from './adapters/rates/sample.ts';
import { sandboxFile } from './adapters/sandbox-file.ts';
import { openScreeningList } from './adapters/screening/list-file.ts';
import { ScreeningListError } from './adapters/screening/list-lines.ts';
import { KeyFileError } from './adapters/signer/key-file-error.ts';
import { makeAuthenticator } from './app/intake/authenticate.ts';
import type { RailsEnabled } from './app/intake/caller.ts';
import { fundTestMode } from './app/sandbox/fund-test-mode.ts';
import { prepareSandbox, prepareTestMode } from './app/sandbox/prepare-test-mode.ts';
import { makeTreasuryGuard } from './app/treasury/guard-treasury.ts';
import { readShortage } from './app/treasury/read-treasuries.ts';
import type { Config } from './config.ts';
import { makeMetrics } from './http/metrics.ts';
import { makeServers, type ServerOptions, type Servers } from './http/servers.ts';
import type { Log } from './log.ts';
import type { Instruments } from './ports/instruments.ts';
import type { Networks } from './ports/network/network.ts';
import { backupData, restoreData } from './wire/data.ts';
import {
  type DescribedFoundation,
  type Foundation,
  openFoundation,
  START_PATIENCE_MS,
} from './wire/foundation.ts';
import { networksDesk } from './wire/network-set-up.ts';
import { openSettlement } from './wire/settlement.ts';
import { signerDesk } from './wire/signer.ts';
import { enableNetworks } from './workers/enable-networks.ts';
import { forgetIdempotencyKeys } from './workers/forget-idempotency-keys.ts';
import { startLedgerWatch } from './workers/ledger-watch.ts';
import type { Loop } from './workers/loop.ts';
import { watchOutflows } from './workers/watch-outflows.ts';
import { watchProviders } from './workers/watch-providers.ts';
import { watchTreasuries } from './workers/watch-treasuries.ts';

export type { CheckedNetwork, NetworksDesk, PlannedSetUp } from './wire/network-set-up.ts';
export {
  backupData,
  type DescribedFoundation,
  type Foundation,
  loadBankDirectory,
  networksDesk,
  openFoundation,
  restoreData,
  signerDesk,
};

const SUPERUSER =
  'the role of DATABASE_URL is a superuser: give the service one that owns its database and nothing else (docs/operating.md)';
const TREASURY_EVERY_MS = 15_000;
const PROVIDERS_EVERY_MS = 15_000;
const OUTFLOWS_EVERY_MS = 10_000;

/** Test mode is simulated; live mode has a rail once an operator has configured one. */
const RAILS: RailsEnabled = { live: false, test: true };

export const VERSION = (
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }
).version;

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
  const foundation = await openFoundation(config, log.logger, { networks: 'open' });
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
  const { connection, database, clock, entropy, banks, networks, simulation } = foundation;
  const onError = (error: Error) => log.warn({ err: error }, 'background work');
  const sandboxPath = config.databaseUrl === null ? path.join(config.dataDir, 'sandbox.json') : null;
  const urls = addresses(config);
  if (config.databaseUrl !== null && (await isSuperuser(database))) log.warn(SUPERUSER);
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
      help: '1 while money movements are paused, or while it is not known whether they are.',
      read: () => (catalogue.current()?.movementsPaused === false ? 0 : 1),
    },
  });
  const store = makePostgresStore(database, metrics.observeBatch);
  const forgetting = forgetIdempotencyKeys({ store, clock, onError }, config.idempotencyKeepMs);
  const watch = startLedgerWatch({
    ledgerAudit: foundation.ledgerAudit,
    queueMetrics: makeQueueMetrics(database),
    networks,
    clock,
    instruments: metrics,
    onTrouble: (message, detail) => log.error(detail, message),
    onError,
  });
  const { treasuryWatch } = foundation;
  const guard = makeTreasuryGuard({
    treasuryWatch,
    clock,
    shortageOf: (mode, network) => readShortage(foundation, mode, network),
    onTrouble: (message, detail) => log.error(detail, message),
  });
  const outflows = watchOutflows(
    { treasuryWatch, guard, networks, clock, instruments: metrics, onError },
    OUTFLOWS_EVERY_MS,
  );
  const treasuries = watchTreasuries(
    {
      guard,
      networks,
      store,
      setUps: setUpRecords(database),
      clock,
      ledgerAudit: foundation.ledgerAudit,
      instruments: metrics,
      onTrouble: (message, detail) => log.warn(detail, message),
      onError,
    },
    TREASURY_EVERY_MS,
  );
  const providers = watchProviders(
    {
      networks,
      instruments: metrics,
      say: (loudness, message, detail) => log[loudness](detail, message),
      onError,
    },
    PROVIDERS_EVERY_MS,
  );
  const screening = await openScreeningList(config.screeningList, onError);
  const settlement = openSettlement(
    config,
    { ...foundation, store, catalogue, screening, guard },
    log,
    metrics.observeStage,
  );
  const enabling = enableLater(foundation, metrics, log);
  const common = { store, banks, networks, rails: RAILS, clock, entropy, accepted: settlement.accepted };
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
    sandbox: simulation.sandbox,
    wakeFeeds: settlement.wakeFeeds,
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
      await watch.stop();
      await Promise.all([treasuries.stop(), providers.stop(), outflows.stop(), enabling.stop()]);
      await settlement.stop();
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
    await fund(foundation, foundation.networks);
    if (sandboxPath === null) return null;
    const credentials = await prepareSandbox({ ...deps, file: sandboxFile(sandboxPath) }, urls);
    return { file: sandboxPath, testKey: credentials.test_key };
  });
}

async function fund(foundation: Foundation, networks: Pick<Networks, 'enabled'>): Promise<void> {
  // The chains of this machine were funded before anybody looked, and are made anew each time.
  const local = foundation.networksFile.instance !== null;
  await fundTestMode({ ...foundation, networks, opens: ({ native }) => native === null || local });
}

function enableLater(foundation: Foundation, metrics: Instruments, log: Logger): Loop {
  const { networks, connection } = foundation;
  return enableNetworks({
    networks,
    enable: ({ mode, name }) =>
      foundation.enableNetwork({ mode, name }, async (network) => {
        const only = { enabled: () => [network] };
        if (mode === 'test') await withLock(connection, 'sandbox', () => fund(foundation, only));
      }),
    instruments: metrics,
    say: (loudness, message, detail) => log[loudness](detail, message),
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
  return isPrivate(config) ? { host: config.host } : 'closed';
}

/** Only this machine can ask, and nobody asks on another's behalf. */
function isPrivate(config: Config): boolean {
  return /^(127\.|::1$|localhost$)/.test(config.host) && config.trustProxy === false;
}

/** Failures whose message is written for the operator. */
export function isOperatorError(error: unknown): boolean {
  return [EmbeddedError, MigrationError, ScreeningListError, KeyFileError, NetworkSettingsError].some(
    (kind) => error instanceof kind,
  );
}
