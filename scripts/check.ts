// The static checks that guard main: types, lint and format, layers, money, dead code, the OpenAPI document. Runs all of them
// and says which failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeOpenApiDocument } from '../src/http/openapi.ts';
import { forbiddenNames } from './check-names.ts';
import { findLayerBreaks } from './layers.ts';
import { findFloatMoney } from './money.ts';
import { findStaleMistakes } from './planted.ts';

const root = path.dirname(import.meta.dirname);
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

function run(name: string, args: readonly string[]): boolean {
  const bin = path.join(root, 'node_modules', '.bin', name);
  const result = spawnSync(bin, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...QUIET } });
  return result.status === 0;
}

function none(breaks: readonly string[]): boolean {
  for (const each of breaks) console.error(each);
  return breaks.length === 0;
}

async function openApi(): Promise<boolean> {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-openapi-'));
  try {
    const document = await makeOpenApiDocument({
      baseUrl: 'https://sliproad.example',
      otcBaseUrl: 'https://otc.sliproad.example',
      secretKeyHeader: 'svc-sec-key',
      version: '0.0.0',
    });
    const file = path.join(directory, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    return run('redocly', ['lint', '--config', path.join(root, 'redocly.yaml'), file]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const checks: readonly [string, () => boolean | Promise<boolean>][] = [
  ['types', () => run('tsc', ['--noEmit', '-p', root])],
  ['lint and format', () => run('biome', ['ci', '--error-on-warnings', '.'])],
  ['layers', () => none(findLayerBreaks(root, forbiddenNames()))],
  ['money', () => none(findFloatMoney(root))],
  ['planted mistakes', () => none(findStaleMistakes())],
  ['dead code', () => run('knip', [])],
  ['OpenAPI document', openApi],
];

const failed: string[] = [];
for (const [name, check] of checks) {
  console.log(`— ${name}`);
  if (!(await check())) failed.push(name);
}
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);
