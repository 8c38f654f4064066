// The types of the SDK come from the OpenAPI document. The file is generated and committed; `npm run check` refuses an outdated
// one.
import { makeOpenApiDocument } from '../../src/http/openapi.ts';
import { findStaleFile, type GeneratedFile } from './generated-files.ts';
import { type OpenApi, typesOf } from './schema-types.ts';

export const SDK_TYPES_FILE = 'sdk/src/api-types.ts';

export const SDK_TYPES: GeneratedFile = {
  file: SDK_TYPES_FILE,
  script: 'scripts/sdk-types.ts',
  from: 'the OpenAPI document',
  make: async () => {
    const document = await makeOpenApiDocument({
      baseUrl: 'https://sliproad.example',
      otcBaseUrl: 'https://otc.sliproad.example',
      secretKeyHeader: 'svc-sec-key',
      version: '0.0.0',
    });
    return typesOf(document as OpenApi);
  },
};

export function findStaleSdkTypes(root: string): Promise<readonly string[]> {
  return findStaleFile(root, SDK_TYPES);
}
