// The console: the session API of the pages, and its OpenAPI document.
import { makeConsoleDocument } from '../../http/console/document.ts';
import { addConsole } from '../../http/console/register.ts';
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
  const deps = { ...parts, people: parts.membership };
  const options = { deps, routes: CONSOLE_ROUTES, own, document };
  return { routes: [{ server: 'main', add: (app, { publicly }) => addConsole(app, publicly, options) }] };
}
