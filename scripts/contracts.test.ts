// Tests that the committed contracts are equal to the compiled sources, byte for byte.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ARTEFACTS, compileContracts } from './compile-contracts.ts';

test('the committed artefacts equal the compiled sources', () => {
  const compiled = compileContracts();
  assert.deepEqual(readdirSync(ARTEFACTS).sort(), [...compiled.keys()]);
  for (const [name, text] of compiled) {
    assert.ok(
      readFileSync(path.join(ARTEFACTS, name), 'utf8') === text,
      `${name} is not what its sources compile to: run node scripts/compile-contracts.ts`,
    );
  }
});
