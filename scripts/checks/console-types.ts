// The types of the dashboard come from the OpenAPI document of the console: parameters, body and answer of each path. The file is
// generated and committed; `npm run check` refuses an outdated one.
import { makeConsoleDocument } from '../../src/http/console/document.ts';
import { CONSOLE_ROUTES } from '../../src/http/console/routes.ts';
import { findStaleFile, type GeneratedFile } from './generated-files.ts';
import { operationsOf } from './operation-types.ts';
import { type OpenApi, typesOf } from './schema-types.ts';

export const CONSOLE_TYPES_FILE = 'dashboard/src/api/console-types.ts';

/** The prefix of the console's paths: the dashboard's client adds it. */
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

/** The problems of the committed file; empty if it is up to date. */
export function findStaleConsoleTypes(root: string): Promise<readonly string[]> {
  return findStaleFile(root, CONSOLE_TYPES);
}
