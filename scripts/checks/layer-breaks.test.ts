// Tests that the layer check finds each kind of violation, and that the current source has none.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { listForbiddenNames } from './forbidden-names.ts';
import { findLayerBreaks } from './layer-breaks.ts';
import { runCheckOn } from './run-check-on.ts';

function breaksIn(files: Record<string, string>): readonly string[] {
  return runCheckOn(files, (root) => findLayerBreaks(root, ['Zebra', 'Gold Bank']));
}

test('the source code respects its layers', () => {
  assert.deepEqual(findLayerBreaks(path.resolve(import.meta.dirname, '../..'), listForbiddenNames()), []);
});

test('an import in the wrong direction is found, even a dynamic or type-only one', () => {
  assert.equal(breaksIn({ 'src/domain/a.ts': "import { b } from '../app/b.ts';\n" }).length, 1);
  assert.equal(breaksIn({ 'src/app/a.ts': "import type { b } from '../adapters/b.ts';\n" }).length, 1);
  assert.equal(breaksIn({ 'src/http/a.ts': "const b = await import('../adapters/b.ts');\n" }).length, 1);
  assert.equal(breaksIn({ 'src/app/a.ts': "type B = import('../http/b.ts').B;\n" }).length, 1);
  assert.equal(breaksIn({ 'src/cli/a.ts': "import { b } from '../http/b.ts';\n" }).length, 1);
  assert.equal(breaksIn({ 'src/renderings/a.ts': "import { b } from '../http/b.ts';\n" }).length, 1);
  assert.equal(breaksIn({ 'src/workers/a.ts': "import { b } from '../renderings/b.ts';\n" }).length, 1);
  assert.deepEqual(breaksIn({ 'src/app/a.ts': "import {\n  b,\n  c,\n} from '../http/b.ts';\n" }), [
    'src/app/a.ts:4: app must not import http (../http/b.ts): see the layers in CONTRIBUTING.md',
  ]);
});

test('a package, a clock or randomness in the pure layers is found', () => {
  assert.equal(breaksIn({ 'src/app/a.ts': "import pg from 'pg';\n" }).length, 1);
  assert.equal(breaksIn({ 'src/domain/a.ts': 'export const now = () => Date.now();\n' }).length, 1);
  assert.equal(breaksIn({ 'src/app/a.ts': 'export const x = Math.random();\n' }).length, 1);
});

test('a clock or randomness in simulated code is found, and ignored in the files that provide it', () => {
  const timed = 'export const later = (run: () => void) => setTimeout(run, 5);\n';
  assert.equal(breaksIn({ 'src/workers/settlement-stages.ts': timed }).length, 1);
  assert.equal(breaksIn({ 'src/adapters/simulation/simulation.ts': timed }).length, 1);
  assert.equal(breaksIn({ 'src/adapters/networks/simulated/sends.ts': timed }).length, 1);
  assert.equal(breaksIn({ 'src/workers/settlement.ts': timed }).length, 0);
  assert.equal(breaksIn({ 'src/adapters/simulation/postgres-world.ts': timed }).length, 0);
});

test('the name of a network or a bank is found inside domain and app, and ignored elsewhere', () => {
  assert.equal(breaksIn({ 'src/domain/a.ts': "export const n = 'zebra';\n" }).length, 1);
  assert.equal(breaksIn({ 'src/app/a.ts': '// only for Gold Bank\n' }).length, 1);
  assert.equal(breaksIn({ 'src/adapters/a.ts': "export const n = 'Zebra';\n" }).length, 0);
});

test('allowed code is not reported', () => {
  assert.deepEqual(
    breaksIn({
      'src/app/a.ts': "import { b } from '../domain/b.ts';\nimport type { C } from '../ports/c.ts';\n",
      'src/wire.ts': "import { d } from './adapters/d.ts';\n",
      'src/cli/e.ts': "import { f } from '../renderings/f.ts';\n",
      'src/http/g.ts': "import { f } from '../renderings/f.ts';\n",
    }),
    [],
  );
});
