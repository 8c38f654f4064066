// Builds the service: opens the foundation, builds each shared part once, opens the features, then the servers. This file and
// those in wire/ are the only ones that know every adapter.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from 'pino';
import { loadBankDirectory } from './adapters/banks/directory.ts';
import { EmbeddedError } from './adapters/embedded/files/errors.ts';
import { NetworkSettingsError } from './adapters/networks/settings/file.ts';
import { isSuperuser } from './adapters/postgres/connection/database.ts';
import { MigrationError } from './adapters/postgres/connection/migrate.ts';
import { ScreeningListError } from './adapters/screening/list-lines.ts';
import { SecretsKeyError } from './adapters/secrets/key-file.ts';
import { SecretUnreadable } from './adapters/secrets/secret-box.ts';
import { KeyFileError } from './adapters/signer/key-file-error.ts';
import { makeAuthenticator } from './app/intake/authenticate.ts';
import type { RailsEnabled } from './app/intake/caller.ts';
import { countUnreadable } from './app/people/reseal-secrets.ts';
import { makeTreasuryGuard } from './app/treasury/guard-treasury.ts';
import { readShortage } from './app/treasury/read-treasuries.ts';
import type { Config } from './config.ts';
import { makeServers, type Servers } from './http/servers.ts';
import type { Log } from './log.ts';
import type { Catalogue } from './ports/catalogue.ts';
import { makeServiceMetrics, openCurrentCatalogue } from './wire/catalogue.ts';
import { type Closing, closeTogether, openInSteps } from './wire/closing.ts';
import { backupData, restoreData } from './wire/data.ts';
import { type OpenFeature, openFeatures, type ServiceParts } from './wire/feature.ts';
import { auditFeature } from './wire/features/audit.ts';
import { catalogueFeature } from './wire/features/catalogue.ts';
import { consoleFeature } from './wire/features/console.ts';
import { healthFeature } from './wire/features/health.ts';
import { idempotencyKeysFeature } from './wire/features/idempotency-keys.ts';
import { intakeFeature } from './wire/features/intake.ts';
import { ledgerWatchFeature } from './wire/features/ledger-watch.ts';
import { mailFeature } from './wire/features/mail.ts';
import { networksFeature } from './wire/features/networks.ts';
import { pagesFeature } from './wire/features/pages.ts';
import { sandboxFeature } from './wire/features/sandbox.ts';
import { settlementFeature } from './wire/features/settlement.ts';
import { treasuryFeature } from './wire/features/treasury.ts';
import { type DescribedFoundation, type Foundation, openFoundation } from './wire/foundation.ts';
import { networksDesk } from './wire/network-set-up.ts';
import { publicUrls } from './wire/public-urls.ts';
import { secretsDesk } from './wire/secrets.ts';
import { makeSignals } from './wire/signals.ts';
import { signerDesk } from './wire/signer.ts';
import { makeTestModeUsable, type SandboxCredentials } from './wire/test-mode.ts';

export type { OpenFeature } from './wire/feature.ts';
export type { CheckedNetwork, NetworksDesk, PlannedSetUp } from './wire/network-set-up.ts';
export {
  backupData,
  type DescribedFoundation,
  type Foundation,
  loadBankDirectory,
  networksDesk,
  openFoundation,
  restoreData,
  secretsDesk,
  signerDesk,
};

/** Opened in this order. Their loops stop together, once the servers are closed. */
const FEATURES: readonly OpenFeature[] = [
  idempotencyKeysFeature,
  ledgerWatchFeature,
  auditFeature,
  treasuryFeature,
  networksFeature,
  settlementFeature,
  mailFeature,
  intakeFeature,
  sandboxFeature,
  catalogueFeature,
  healthFeature,
  pagesFeature,
  consoleFeature,
];

/** Test mode is simulated; live mode has a rail once an operator has configured one. */
const RAILS: RailsEnabled = { live: false, test: true };

const SUPERUSER =
  'the role of DATABASE_URL is a superuser: give the service a role that owns its own database and has no other rights (docs/operating.md)';

/** The money goes on; people with these secrets cannot sign in. */
const WRONG_KEY_FILE =
  'the key file does not open stored secrets, and their people cannot sign in: put the right copy back (docs/operating.md, Backup and restore)';

const SANDBOX_ADMIN =
  'a live network is configured, and the only admin is a person of the sandbox, whose password is in sandbox.json: invite an admin of your own, then disable this one (docs/operating.md)';

export const VERSION = (
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }
).version;

export interface Service {
  readonly baseUrl: string;
  readonly servers: Servers;
  /** Null when the database is the operator's own. */
  readonly sandbox: SandboxCredentials | null;
  /** From now on every answer closes its connection, and the service is not ready. */
  beginDraining(): void;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Features beside the product's own, for benchmarks. */
  readonly beside?: readonly OpenFeature[];
}

export function openService(
  config: Config,
  { logger: log, plain: accessLog }: Pick<Log, 'logger' | 'plain'>,
  { beside = [] }: ServiceOptions = {},
): Promise<Service> {
  return openInSteps(async (closing) => {
    let draining = false;
    const isDraining = () => draining;
    const { sandbox, ...parts } = await openParts(closing, config, log, isDraining);
    const routes = await openFeatures([...FEATURES, ...beside], parts, closing);
    const { catalogue, clock, entropy, metrics, urls } = parts;
    const servers = makeServers({
      transport: config,
      authenticator: makeAuthenticator({ catalogue, clock }),
      ...{ clock, entropy, log, accessLog, metrics, routes },
      draining: isDraining,
    });
    closing.add(() => closeTogether([() => servers.main.close(), () => servers.otc.close()]));
    return {
      servers,
      baseUrl: urls.main,
      sandbox,
      beginDraining: () => {
        draining = true;
      },
      close: () => {
        draining = true;
        return closing.close();
      },
    };
  });
}

/** Closed after the servers and the features: the store drains, then the catalogue and the foundation are closed. */
async function openParts(
  closing: Closing,
  config: Config,
  log: Logger,
  isDraining: () => boolean,
): Promise<ServiceParts & Pick<Service, 'sandbox'>> {
  const onError = (error: Error) => log.warn({ err: error }, 'background work');
  // The metrics come first, because the store reports to them; they read the catalogue once it is open.
  let catalogue: Catalogue | undefined;
  const metrics = makeServiceMetrics(() => catalogue?.current());
  const foundation = await openFoundation(config, log, {
    networks: 'open',
    onAcceptBatch: metrics.observeBatch,
  });
  closing.add(() => foundation.close());
  if (config.databaseUrl !== null && (await isSuperuser(foundation.database))) log.warn(SUPERUSER);
  const lost = await countUnreadable({ box: foundation.people.box, tables: foundation.sealedTables });
  if (lost > 0) log.error({ file: config.secretsKeyFile, secrets: lost }, WRONG_KEY_FILE);
  const sandboxPath = config.databaseUrl === null ? path.join(config.dataDir, 'sandbox.json') : null;
  const urls = publicUrls(config);
  const sandbox = await makeTestModeUsable(foundation, sandboxPath, urls, (emails) => {
    if (emails.length > 0) log.error({ emails }, SANDBOX_ADMIN);
  });
  catalogue = await openCurrentCatalogue(foundation, closing, onError);
  closing.add(() => foundation.store.drain());
  const guard = makeTreasuryGuard({
    treasuryWatch: foundation.treasuryWatch,
    clock: foundation.clock,
    shortageOf: (mode, network) => readShortage(foundation, mode, network),
    onTrouble: (message, detail) => log.error(detail, message),
  });
  const signals = makeSignals();
  return {
    ...foundation,
    ...{ config, log, metrics, catalogue, guard, signals, rails: RAILS, urls, version: VERSION },
    ...{ sandboxPath, sandbox, isDraining, onError },
  };
}

/** Failures whose message is written for the operator. */
export function isOperatorError(error: unknown): boolean {
  return [
    EmbeddedError,
    MigrationError,
    ScreeningListError,
    KeyFileError,
    SecretsKeyError,
    SecretUnreadable,
    NetworkSettingsError,
  ].some((kind) => error instanceof kind);
}
