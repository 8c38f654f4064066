// Builds the service: opens the foundation, builds each shared part once, and then opens the features and the servers. Only
// this file and the files in wire/ know every adapter.
import path from 'node:path';
import type { Logger } from 'pino';
import { makeKeyUses } from './adapters/postgres/back-office/keys.ts';
import { isSuperuser } from './adapters/postgres/connection/database.ts';
import { makeAuthenticator } from './app/intake/authenticate.ts';
import { countUnreadableSecrets } from './app/people/reseal-secrets.ts';
import { describeRates } from './app/rates/show-sources.ts';
import { makeTreasuryGuard } from './app/treasury/guard-treasury.ts';
import { makeGuards } from './app/treasury/guards.ts';
import { readShortage } from './app/treasury/read-treasuries.ts';
import type { Config } from './config.ts';
import type { Mode } from './domain/values/mode.ts';
import { makeServers, type Servers } from './http/servers.ts';
import type { Log } from './log.ts';
import type { Catalogue } from './ports/catalogue.ts';
import { hasLiveMode, railsEnabled, refuseShortRetention, refuseVendorAccounts } from './wire/banks.ts';
import { makeServiceMetrics, openCurrentCatalogue, openCurrentRates } from './wire/catalogue.ts';
import { type CloseStack, closeTogether, openInSteps } from './wire/close-stack.ts';
import { type OpenFeature, openFeatures, type ServiceParts } from './wire/feature.ts';
import { accountLookupsFeature } from './wire/features/account-lookups.ts';
import { consoleFeature } from './wire/features/console.ts';
import { eventsFeature, makeLiveEvents } from './wire/features/events.ts';
import { healthFeature } from './wire/features/health.ts';
import { catalogueFeature, intakeFeature } from './wire/features/intake.ts';
import { mailFeature } from './wire/features/mail.ts';
import { pagesFeature } from './wire/features/pages.ts';
import { railEventsFeature, railQuestionsFeature, railsFeature } from './wire/features/rails.ts';
import { quotesFeature, ratesFeature } from './wire/features/rates.ts';
import { reconciliationFeature } from './wire/features/reconciliation.ts';
import { sandboxFeature } from './wire/features/sandbox.ts';
import { networksFeature, settlementFeature, treasuryFeature } from './wire/features/settlement.ts';
import {
  auditFeature,
  idempotencyKeysFeature,
  ledgerWatchFeature,
  privacyFeature,
  requestsFeature,
} from './wire/features/upkeep.ts';
import { makeWebhookDeps, webhooksFeature } from './wire/features/webhooks.ts';
import { openFoundation } from './wire/foundation.ts';
import { derivePublicUrls } from './wire/public-urls.ts';
import { makeSignals, signalCommits } from './wire/signals.ts';
import { makeTestModeUsable, type SandboxAccess } from './wire/test-mode.ts';
import { VERSION } from './wire/version.ts';
import { startKeyUseRecorder } from './workers/note-key-uses.ts';

export type { OpenFeature } from './wire/feature.ts';

/**
 * The service opens the features in this order. After the servers are closed, the service stops all loops of the features
 * together.
 */
const FEATURES: readonly OpenFeature[] = [
  idempotencyKeysFeature,
  ledgerWatchFeature,
  auditFeature,
  treasuryFeature,
  networksFeature,
  settlementFeature,
  accountLookupsFeature,
  railsFeature,
  reconciliationFeature,
  railQuestionsFeature,
  railEventsFeature,
  mailFeature,
  intakeFeature,
  eventsFeature,
  webhooksFeature,
  sandboxFeature,
  catalogueFeature,
  ratesFeature,
  quotesFeature,
  requestsFeature,
  privacyFeature,
  healthFeature,
  pagesFeature,
  consoleFeature,
];

const SUPERUSER_WARNING =
  'the role of DATABASE_URL is a superuser: give the service a role that owns its own database and has no other rights (docs/operate/first-day.md)';

/** With the wrong key file, the service still moves money, but people whose secrets it cannot decrypt cannot sign in. */
const WRONG_KEY_FILE_WARNING =
  'the key file cannot decrypt stored secrets, so the people concerned cannot sign in: restore the right copy (docs/operate/backup.md)';

const SANDBOX_ADMIN_WARNING =
  'a live network or a live bank rail is configured, and the only admin is a person of the sandbox, whose password was written to sandbox.json: invite an admin of your own, then disable this one (docs/operate/first-day.md)';

const NO_LIVE_KEY_WARNING =
  'the live key of the sandbox business is not in sandbox.json, and a restart does not create one. Existing keys still work. To create another: bin/sliproad keys add --business ID --mode live';

/** The text contains DATA_DIR, because without it the command would change another database. */
function movementsPausedText({ databaseUrl, dataDir }: Config): string {
  const where = databaseUrl === null ? `DATA_DIR=${dataDir} ` : '';
  return `money movements are paused: nothing is sent, paid out or refunded. To resume: ${where}bin/sliproad movements resume`;
}

export interface Service {
  readonly baseUrl: string;
  readonly servers: Servers;
  /** The sandbox credentials; null if the operator provides the database. */
  readonly sandbox: SandboxAccess | null;
  readonly rates: Readonly<Record<Mode, string>>;
  /** After this call every response closes its connection, and the service reports that it is not ready. */
  beginDraining(): void;
  close(): Promise<void>;
}

export interface OpenServiceOptions {
  readonly beside?: readonly OpenFeature[];
}

export function openService(
  config: Config,
  { logger: log, plain: accessLog }: Pick<Log, 'logger' | 'plain'>,
  { beside = [] }: OpenServiceOptions = {},
): Promise<Service> {
  return openInSteps(async (closing) => {
    let [draining, listening] = [false, false];
    const isDraining = () => draining;
    const standing = { isDraining, isListening: () => listening };
    const { sandbox, rates, ...parts } = await openParts(closing, config, log, standing);
    const routes = await openFeatures([...FEATURES, ...beside], parts, closing);
    const { catalogue, clock, entropy, metrics, urls, database, onError } = parts;
    const uses = startKeyUseRecorder({ keyUses: makeKeyUses(database), clock, onError });
    closing.add(() => uses.stop());
    const drain = () => {
      draining = true;
      parts.signals.draining();
    };
    const servers = makeServers({
      transport: config,
      authenticator: makeAuthenticator({ catalogue, clock }),
      ...{ clock, entropy, log, accessLog, metrics, routes },
      draining: isDraining,
      onKeyUse: uses.used,
    });
    servers.main.addHook('onListen', async () => {
      listening = true;
    });
    closing.add(() => closeTogether([() => servers.main.close(), () => servers.otc.close()]));
    return {
      servers,
      baseUrl: urls.main,
      sandbox,
      rates,
      beginDraining: drain,
      close: () => {
        drain();
        return closing.close();
      },
    };
  });
}

/**
 * Opens the parts that the service closes after the servers and the features. First the store drains; then the catalogue and
 * the foundation close.
 */
async function openParts(
  closing: CloseStack,
  config: Config,
  log: Logger,
  standing: Pick<ServiceParts, 'isDraining' | 'isListening'>,
): Promise<ServiceParts & Pick<Service, 'sandbox' | 'rates'>> {
  const onError = (error: Error) => log.warn({ err: error }, 'background task failed; retrying');
  // The metrics are created first, because the store reports to them. They read the catalogue once the catalogue is open.
  let catalogue: Catalogue | undefined;
  const metrics = makeServiceMetrics(() => catalogue?.current());
  const signals = makeSignals();
  const foundation = await openFoundation(config, log, {
    networks: 'open',
    onAcceptBatch: (size, seconds) => {
      metrics.observeBatch(size, seconds);
      signals.committed();
    },
  });
  closing.add(() => foundation.close());
  refuseShortRetention(config, hasLiveMode(foundation.networks, foundation.bankRails));
  if (config.databaseUrl !== null && (await isSuperuser(foundation.database))) log.warn(SUPERUSER_WARNING);
  const tables = foundation.sealedTables.filter(({ grows }) => grows !== true);
  const lost = await countUnreadableSecrets({ box: foundation.people.box, tables });
  if (lost > 0) log.error({ file: config.secretsKeyFile, secrets: lost }, WRONG_KEY_FILE_WARNING);
  const sandboxPath = config.databaseUrl === null ? path.join(config.dataDir, 'sandbox.json') : null;
  const urls = derivePublicUrls(config);
  const sandbox = await makeTestModeUsable(foundation, sandboxPath, urls, (emails) => {
    if (emails.length > 0) log.error({ emails }, SANDBOX_ADMIN_WARNING);
  });
  if (sandbox?.hasLiveKey === false) log.warn({ business: sandbox.businessId }, NO_LIVE_KEY_WARNING);
  const { backOffice } = foundation;
  if (await backOffice.movementsPaused())
    log.warn({ ...(await backOffice.lastPause()) }, movementsPausedText(config));
  catalogue = await openCurrentCatalogue(foundation, closing, onError);
  refuseVendorAccounts(config, foundation.bankRails, await catalogue.refresh());
  const rateBoard = await openCurrentRates(foundation, closing, onError);
  const rates = await describeRates(foundation);
  log.info(rates, 'rates');
  closing.add(() => closeTogether([foundation.store.drain, foundation.quotes.drain]));
  const guard = makeTreasuryGuard({
    treasuryWatch: foundation.treasuryWatch,
    clock: foundation.clock,
    shortageOf: (mode, network) => readShortage(foundation, mode, network),
    onTrouble: (message, detail) => log.error(detail, message),
  });
  const live = makeLiveEvents({ ...foundation, config, log, metrics, catalogue });
  return {
    ...foundation,
    ...{
      live,
      config,
      log,
      metrics,
      catalogue,
      rateBoard,
      rates,
      guard,
      guards: makeGuards(foundation),
      signals,
      rails: railsEnabled(foundation.bankRails),
      urls,
      version: VERSION,
    },
    ...standing,
    ...{ sandboxPath, sandbox, onError, store: signalCommits(foundation.store, signals) },
    webhooks: makeWebhookDeps(foundation, config, { signals, version: VERSION }),
  };
}
