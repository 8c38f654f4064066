// The console: the session API of the pages, its OpenAPI document, and the operator's identity provider where there is one.
import { makeOpenIdProvider } from '../../adapters/people/openid-provider.ts';
import { makeProviderStore } from '../../adapters/postgres/people/provided-identities.ts';
import { readPrivateFile } from '../../adapters/signer/private-file.ts';
import { type Config, ConfigError } from '../../config.ts';
import type { ConsoleProvider } from '../../http/console/deps.ts';
import { makeConsoleDocument } from '../../http/console/document.ts';
import { addConsole } from '../../http/console/register.ts';
import { PROVIDER_RETURN, PROVIDER_START } from '../../http/console/routes/provider.ts';
import { CONSOLE_ROUTES } from '../../http/console/routes.ts';
import { makePage } from '../../http/pages/page-headers.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export async function consoleFeature(parts: ServiceParts): Promise<Feature> {
  const { config, urls, version } = parts;
  const document = await makePage(
    JSON.stringify(makeConsoleDocument({ baseUrl: urls.main, version }, CONSOLE_ROUTES)),
    { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
  );
  const own = { origin: new URL(urls.main).origin, alsoLocal: config.publicBaseUrl === null };
  const deps = { ...parts, people: parts.membership, identityProvider: await openProvider(parts) };
  const options = { deps, routes: CONSOLE_ROUTES, own, document };
  return { routes: [{ server: 'main', add: (app, { publicly }) => addConsole(app, publicly, options) }] };
}

/** Here and not in the foundation: no command needs the client secret. */
async function openProvider({ config, database, log, urls }: ServiceParts): Promise<ConsoleProvider | null> {
  if (config.identityProvider === null) return null;
  const { issuer, clientId, clientSecret: setting } = config.identityProvider;
  const clientSecret = await readClientSecret(setting);
  const redirectUri = urls.main + PROVIDER_RETURN;
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
  // The settings have one of the two.
  if (file === null) return text!();
  const bytes = await readPrivateFile(file, `The file of ${name}_FILE,`);
  // Editors and echo add a line end, which is not part of the secret.
  const secret = bytes?.toString('utf8').replace(/\r?\n$/, '') ?? '';
  if (secret !== '') return secret;
  throw new ConfigError(`The file of ${name}_FILE, ${file}, does not exist or is empty.`);
}
