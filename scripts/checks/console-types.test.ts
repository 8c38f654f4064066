// An outdated file with the dashboard's types is found.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { CONSOLE_TYPES_FILE, findStaleConsoleTypes } from './console-types.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

test('a file that differs from the console document is refused', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-console-types-'));
  try {
    mkdirSync(path.join(directory, path.dirname(CONSOLE_TYPES_FILE)), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(directory, 'node_modules'));
    for (const file of ['biome.json', '.gitignore', CONSOLE_TYPES_FILE])
      cpSync(path.join(root, file), path.join(directory, file));
    assert.deepEqual(await findStaleConsoleTypes(directory), []);
    writeFileSync(path.join(directory, CONSOLE_TYPES_FILE), '// old\n');
    assert.match(
      String(await findStaleConsoleTypes(directory)),
      /console-types\.ts:1: differs from the OpenAPI document of the console: run/,
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
