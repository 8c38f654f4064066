// Tests that a renamed field breaks the build. If the service renames a field, the page that reads it must not compile. The
// test generates the dashboard's types from a document with a renamed field, and type-checks the dashboard with them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { CONSOLE_TYPES_FILE, consoleDocument, consoleTypesOf } from './console-types.ts';
import type { OpenApi } from './schema-types.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

function renamed(schema: string, from: string, to: string): OpenApi {
  const document = structuredClone(consoleDocument());
  const { properties, required } = document.components.schemas![schema]! as unknown as {
    properties: Record<string, object>;
    required: string[];
  };
  assert.ok(from in properties, `${schema} has ${from}`);
  properties[to] = properties[from]!;
  delete properties[from];
  required[required.indexOf(from)] = to;
  return document;
}

/** The files of a copy of the dashboard that do not compile with the types of this document, and their errors. */
function brokenBy(document: OpenApi): { readonly files: readonly string[]; readonly said: string } {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-renamed-field-'));
  try {
    mkdirSync(path.join(directory, 'dashboard'));
    for (const name of ['src', 'tsconfig.json', 'vite.config.ts'])
      cpSync(path.join(root, 'dashboard', name), path.join(directory, 'dashboard', name), {
        recursive: true,
      });
    symlinkSync(path.join(root, 'node_modules'), path.join(directory, 'node_modules'));
    writeFileSync(path.join(directory, CONSOLE_TYPES_FILE), consoleTypesOf(document).join('\n'));
    const tsc = path.join(root, 'node_modules', '.bin', 'tsc');
    const { stdout: said } = spawnSync(tsc, ['--noEmit', '-p', 'dashboard'], {
      ...{ cwd: directory, encoding: 'utf8' },
    });
    return { said, files: [...new Set(said.match(/^dashboard\/\S+(?=\(\d+,\d+\): error)/gm) ?? [])] };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('renaming a field of a response breaks only the page that reads it', () => {
  const { files, said } = brokenBy(renamed('Rail', 'used_today', 'used'));
  assert.deepEqual(files, ['dashboard/src/pages/operator/rails/card.tsx'], said);
  assert.match(said, /'used_today' does not exist on type/);
});
