// Opens the console: the session API of its pages, the OpenAPI document of that API, and the operator's identity provider, if
// there is one.
import { makeActivityFigures } from '../../adapters/postgres/activity/figures.ts';
import { makeTransactionSearch } from '../../adapters/postgres/activity/search.ts';
import { makeProviderStore } from '../../adapters/postgres/people/provided-identities.ts';
import { makeEventQueue } from '../../adapters/postgres/rails/event-queue.ts';
import { makeRequestLog } from '../../adapters/postgres/requests/request-log.ts';
import { readPrivateFile } from '../../adapters/signer/private-file.ts';
import { makeReadAttention } from '../../app/operations/list-attention.ts';
import { type Config, ConfigError } from '../../config.ts';
import { makeOneRangeAtATime, makeWorkTurns } from '../../http/admission/work-turns.ts';
import { addConsole } from '../../http/console/add-console.ts';
import type { ActivityDeps, ConsoleProvider, CustomerDataDeps } from '../../http/console/deps.ts';
import { makeConsoleDocument } from '../../http/console/document.ts';
import { makeChangeStreams } from '../../http/console/operations/change-streams.ts';
import { PROVIDER_RETURN, PROVIDER_START } from '../../http/console/routes/people/provider.ts';
import { CONSOLE_ROUTES } from '../../http/console/routes.ts';
import { makeLazily, makePage } from '../../http/pages/send-page.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import { makeSubmissionDeps } from './intake.ts';
import { makeQuoteDeps } from './rates.ts';

export async function consoleFeature(parts: ServiceParts): Promise<Feature> {
  const { config, urls, version } = parts;
  const document = makeLazily(async () =>
    makePage(JSON.stringify(makeConsoleDocument({ baseUrl: urls.main, version }, CONSOLE_ROUTES)), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  );
  const own = { origin: new URL(urls.main).origin, alsoLocal: config.publicBaseUrl === null };
  const { operations, membership: people } = parts;
  const changeStreams = makeChangeStreams({ operations, people, onError: parts.onError });
  parts.signals.listen({ draining: changeStreams.drain });
  const deps = {
    ...{ ...parts, people, changeStreams, policies: config.policies },
    readAttention: makeReadAttention({ ...parts, railEvents: makeEventQueue(parts.database) }),
    thresholds: config.thresholds,
    identityProvider: await openIdentityProvider(parts),
    oneRangeAtATime: makeOneRangeAtATime(),
    requestLog: makeRequestLog(parts.database),
    activity: makeActivityDeps(parts),
    quoting: makeQuoteDeps(parts),
    customerData: makeCustomerDataDeps(parts),
    statementMaxBytes: config.statementMaxBytes,
  };
  const options = { deps, routes: CONSOLE_ROUTES, own, document };
  return {
    routes: [{ server: 'main', add: (app, { publicly }) => addConsole(app, publicly, options) }],
    close: async () => changeStreams.close(),
  };
}

const EXPORTS_AT_ONCE = 2;

function makeActivityDeps(parts: ServiceParts): ActivityDeps {
  const { database, eventLog, catalogue, live, entropy, signals, simulation } = parts;
  return {
    ...{ eventLog, catalogue, live, entropy, wakeFeeds: signals.wakeFeeds, sandbox: simulation.sandbox },
    figures: makeActivityFigures(database),
    search: makeTransactionSearch(database),
    exportTurns: makeWorkTurns(EXPORTS_AT_ONCE),
    submissions: makeSubmissionDeps(parts),
  };
}

function makeCustomerDataDeps({
  privacy,
  personalHash,
  travelRule,
  people,
  config,
}: ServiceParts): CustomerDataDeps {
  const { personalDataKeepMs: keepMs, requestLogKeepMs: requestsKeepMs, legalRetentionMs: byLawMs } = config;
  return { ...{ privacy, personalHash, travelRule, keepMs, requestsKeepMs, byLawMs }, box: people.box };
}

/** The identity provider is opened here and not in the foundation, because no command needs the client secret. */
async function openIdentityProvider({
  config,
  database,
  log,
  urls,
}: ServiceParts): Promise<ConsoleProvider | null> {
  if (config.identityProvider === null) return null;
  const { issuer, clientId, clientSecret: setting } = config.identityProvider;
  const clientSecret = await readClientSecret(setting);
  const redirectUri = urls.main + PROVIDER_RETURN;
  // The libraries for the identity provider are loaded only if an identity provider is configured.
  const { makeOpenIdProvider } = await import('../../adapters/people/openid-provider.ts');
  return {
    provider: makeOpenIdProvider({ issuer, clientId, clientSecret, redirectUri }),
    providerStore: makeProviderStore(database),
    startUrl: urls.main + PROVIDER_START,
    onUnavailable: ({ message }, requestId) =>
      log.warn({ why: message, request_id: requestId }, 'the identity provider is unavailable'),
  };
}

type ClientSecret = NonNullable<Config['identityProvider']>['clientSecret'];

async function readClientSecret({ name, text, file }: ClientSecret): Promise<string> {
  // The settings contain either the file or the text, never both.
  if (file === null) return text!();
  const bytes = await readPrivateFile(file, `The file of ${name}_FILE,`);
  // Editors and `echo` add a line break, which is not part of the secret.
  const secret = bytes?.toString('utf8').replace(/\r?\n$/, '') ?? '';
  if (secret !== '') return secret;
  throw new ConfigError(`The file of ${name}_FILE, ${file}, does not exist or is empty.`);
}
