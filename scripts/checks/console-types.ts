// The types of the dashboard come from the OpenAPI document of the console: what each path takes and answers. The file is generated
// and committed; `npm run check` refuses one that is not current.
import { makeConsoleDocument } from '../../src/http/console/document.ts';
import { CONSOLE_ROUTES } from '../../src/http/console/routes.ts';
import { findStaleFile, type GeneratedFile } from './generated-files.ts';
import { operationsOf } from './operation-types.ts';
import { type OpenApi, typesOf } from './schema-types.ts';

export const CONSOLE_TYPES_FILE = 'dashboard/src/api/console-types.ts';

/** Where the paths of the console begin: the client of the dashboard adds it. */
const ROOT = '/console/v1';

export function consoleDocument(): OpenApi {
  return makeConsoleDocument(
    { baseUrl: 'https://sliproad.example', version: '0.0.0' },
    CONSOLE_ROUTES,
  ) as OpenApi;
}

export function consoleTypesOf(document: OpenApi): readonly string[] {
  return [...typesOf(document), operationsOf(document, ROOT)];
}

export const CONSOLE_TYPES: GeneratedFile = {
  file: CONSOLE_TYPES_FILE,
  script: 'scripts/console-types.ts',
  from: 'the OpenAPI document of the console',
  make: () => consoleTypesOf(consoleDocument()),
};

/** What is wrong with the committed file; nothing when it is current. */
export function findStaleConsoleTypes(root: string): Promise<readonly string[]> {
  return findStaleFile(root, CONSOLE_TYPES);
}
