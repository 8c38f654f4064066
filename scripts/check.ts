// The static checks that main must pass. `npm run check` runs all of them, prints the problems of each, and lists the checks that
// failed.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeConsoleDocument } from '../src/http/console/document.ts';
import { CONSOLE_ROUTES } from '../src/http/console/routes.ts';
import { makeOpenApiDocument } from '../src/http/openapi.ts';
import { findCircles } from './checks/circles.ts';
import { findCopiedTypes } from './checks/console-copies.ts';
import { findStaleConsoleTypes } from './checks/console-types.ts';
import { findLargeFirstLoad } from './checks/dashboard-size.ts';
import { findMissingPaths } from './checks/doc-paths.ts';
import { findFloatMoney } from './checks/float-money.ts';
import { findStaleFolderLists } from './checks/folder-lists.ts';
import { findUpwardImports } from './checks/folder-order.ts';
import { listForbiddenNames } from './checks/forbidden-names.ts';
import { findLayerBreaks } from './checks/layer-breaks.ts';
import { findLongFunctions } from './checks/long-functions.ts';
import { findNamesInSentences } from './checks/names-in-sentences.ts';
import { findStaleMistakes } from './checks/planted-mistakes.ts';
import { findStaleSdkTypes } from './checks/sdk-types.ts';
import { findFullFolders, findLongFiles } from './checks/sizes.ts';
import { findSlowExpressions } from './checks/slow-expressions.ts';
import { findSubjectProblems } from './checks/subject-folders.ts';
import { findUnclearWords } from './checks/words.ts';
import { findThreatProblems, readThreats } from './threats/page.ts';

type Check = () => readonly string[] | Promise<readonly string[]>;

const root = path.dirname(import.meta.dirname);
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const CHECKS: readonly (readonly [string, Check])[] = [
  ['types', () => runTool('tsc', ['--noEmit', '-p', root])],
  ['lint and format', () => runTool('biome', ['ci', '--colors=off', '--error-on-warnings', '.'])],
  ['layers', () => findLayerBreaks(root, listForbiddenNames())],
  ['order of folders', () => findUpwardImports(root)],
  ['lists of folders', () => findStaleFolderLists(root)],
  ['names of subjects', () => findSubjectProblems(root)],
  ['import circles', () => findCircles(root)],
  ['functions', () => findLongFunctions(root)],
  ['files', () => findLongFiles(root)],
  ['folders', () => findFullFolders(root)],
  ['words', () => findUnclearWords(root)],
  ['names of code in sentences', () => findNamesInSentences(root)],
  ['paths in docs', () => findMissingPaths(root)],
  ['threats', () => findThreatProblems(readThreats(root))],
  ['money', () => findFloatMoney(root)],
  ['time of regular expressions', () => findSlowExpressions(root)],
  ['planted mistakes', findStaleMistakes],
  ['dead code', () => runTool('knip', [])],
  ['OpenAPI document', lintOpenApi],
  ['types of the SDK are current', () => findStaleSdkTypes(root)],
  ['types of the dashboard are current', () => findStaleConsoleTypes(root)],
  ['no copied types of the console', () => findCopiedTypes(root)],
  ['types of the SDK on the web', () => runTool('tsc', ['--noEmit', '-p', path.join(root, 'sdk')])],
  ['types of the dashboard', () => runTool('tsc', ['--noEmit', '-p', path.join(root, 'dashboard')])],
  ['size of the dashboard', () => findLargeFirstLoad(root)],
];

function runTool(name: string, args: readonly string[]): Promise<readonly string[]> {
  const bin = path.join(root, 'node_modules', '.bin', name);
  const child = spawn(bin, args, { cwd: root, env: { ...process.env, ...QUIET } });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => printed.push(text));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0 ? [] : [printed.join('').trimEnd()]));
  });
}

async function lintOpenApi(): Promise<readonly string[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-openapi-'));
  try {
    const document = await makeOpenApiDocument({
      baseUrl: 'https://sliproad.example',
      otcBaseUrl: 'https://otc.sliproad.example',
      secretKeyHeader: 'svc-sec-key',
      version: '0.0.0',
    });
    const console = makeConsoleDocument(
      { baseUrl: 'https://sliproad.example', version: '0.0.0' },
      CONSOLE_ROUTES,
    );
    const files = Object.entries({ openapi: document, console }).map(([name, each]) => {
      const file = path.join(directory, `${name}.json`);
      writeFileSync(file, JSON.stringify(each));
      return file;
    });
    return await runTool('redocly', ['lint', '--config', path.join(root, 'redocly.yaml'), ...files]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const started = CHECKS.map(([name, check]) => ({ name, found: Promise.resolve().then(check) }));
const failed: string[] = [];
for (const { name, found } of started) {
  const breaks = await found;
  console.log(`— ${name}: ${breaks.length === 0 ? 'ok' : 'failed'}`);
  for (const each of breaks) console.error(each);
  if (breaks.length > 0) failed.push(name);
}
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
