// Opens the home page, the dashboard, the guide, the OpenAPI document, its viewer, and the Postman collection.
import { makeSandboxFile } from '../../adapters/sandbox-file.ts';
import { makeOpenApiDocument } from '../../http/openapi.ts';
import { addDashboard, readDashboard } from '../../http/pages/dashboard-pages.ts';
import { addGuide } from '../../http/pages/guide/guide-pages.ts';
import { addPublicPages, makePublicPages } from '../../http/pages/public-pages.ts';
import { allowReferenceCalls, type ReferenceOrigins } from '../../http/pages/reference-origins.ts';
import { makeCollection } from '../../http/reference/collection.ts';
import { listSandboxPeople } from '../../ports/sandbox-file.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import { isLocalOnly } from '../public-urls.ts';

export async function pagesFeature(parts: ServiceParts): Promise<Feature> {
  const { config, urls, version, sandboxPath } = parts;
  const { secretKeyHeader } = config;
  const common = { baseUrl: urls.main, secretKeyHeader, version };
  const known = sandboxPath === null ? undefined : await makeSandboxFile(sandboxPath).read();
  const sandbox = known === undefined ? null : { businessId: known.business_id, linkTag: known.link_tag };
  const options = { ...common, otcBaseUrl: urls.otc, sandbox };
  const document = () => makeOpenApiDocument(options);
  const collection = async () => makeCollection(await document(), options);
  const origins = referenceOrigins(parts);
  // The path of the file is shown only if all readers are on this machine, because others cannot use it.
  const credentialsFile = sandboxPath && (isLocalOnly(config) ? sandboxPath : 'DATA_DIR/sandbox.json');
  const facts = { ...common, credentialsFile, people: listSandboxPeople(known ?? {}) };
  const pages = await makePublicPages(facts, { document, collection }, origins);
  const dashboard = await readDashboard();
  return {
    routes: [
      { server: 'main', add: (app, { publicly }) => addDashboard(app, publicly, dashboard) },
      { server: 'main', add: (app, { publicly }) => addPublicPages(app, publicly, pages, origins) },
      { server: 'main', add: (app, { publicly }) => addGuide(app, publicly, version) },
      {
        server: 'otc',
        add: (app, { publicly }) => allowReferenceCalls(app, publicly, origins, secretKeyHeader),
      },
    ],
  };
}

function referenceOrigins({ config, urls }: ServiceParts): ReferenceOrigins {
  const { port, otcPort, tls, publicBaseUrl, publicOtcBaseUrl } = config;
  return {
    ...urls,
    port,
    otcPort,
    scheme: tls === null ? 'http' : 'https',
    anyName: publicBaseUrl === null && publicOtcBaseUrl === null,
  };
}
