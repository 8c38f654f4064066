// The home page, the OpenAPI document and its viewer.
import { makeOpenApiDocument } from '../../http/openapi.ts';
import { addPublicPages, makePublicPages } from '../../http/pages/public-pages.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import { isPrivate } from '../public-urls.ts';

export async function pagesFeature({ config, urls, version, sandboxPath }: ServiceParts): Promise<Feature> {
  const { secretKeyHeader } = config;
  const common = { baseUrl: urls.main, secretKeyHeader, version };
  const document = await makeOpenApiDocument({ ...common, otcBaseUrl: urls.otc });
  // Only a reader on this machine has a use for the path of the file.
  const credentialsFile = sandboxPath && (isPrivate(config) ? sandboxPath : 'DATA_DIR/sandbox.json');
  const pages = await makePublicPages({ ...common, credentialsFile }, document);
  return { routes: [{ server: 'main', add: (app, { publicly }) => addPublicPages(app, publicly, pages) }] };
}
