// Tests that the check finds an outdated file with the SDK's types.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { findStaleSdkTypes, SDK_TYPES_FILE } from './sdk-types.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

test('a types file that differs from the API document is refused', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-sdk-types-'));
  try {
    mkdirSync(path.join(directory, 'sdk', 'src'), { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(directory, 'node_modules'));
    for (const file of ['biome.json', '.gitignore', SDK_TYPES_FILE])
      cpSync(path.join(root, file), path.join(directory, file));
    assert.deepEqual(await findStaleSdkTypes(directory), []);
    writeFileSync(path.join(directory, SDK_TYPES_FILE), '// old\n');
    assert.match(
      String(await findStaleSdkTypes(directory)),
      /api-types\.ts:1: differs from the OpenAPI document: run/,
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
