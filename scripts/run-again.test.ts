// Which failures get a second chance in CI.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesToRunAgain } from './run-again.ts';

const printed = (...files: string[]) =>
  `✔ one\nℹ fail ${files.length}\n\n✖ failing tests:\n\n${files.map((file) => `test at ${file}:5:1\n✖ it (3ms)\n  Error: late\n`).join('\n')}`;

test('tests that wait for programs and pages may run again, each file once', () => {
  const tutorial = 'test/docs/tutorial.test.ts';
  assert.deepEqual(filesToRunAgain(printed(tutorial)), { files: [tutorial], times: 1 });
  assert.deepEqual(
    filesToRunAgain(
      printed('test/browser/team.test.ts', 'test/browser/team.test.ts', 'test/http/console/a.test.ts'),
    ),
    { files: ['test/browser/team.test.ts', 'test/http/console/a.test.ts'], times: 1 },
  );
});

test('tests of the interface and from end to end must pass five times in a row', () => {
  for (const file of ['test/e2e/holds.test.ts', 'test/http/sell.test.ts'])
    assert.deepEqual(filesToRunAgain(printed('test/docs/tutorial.test.ts', file)), {
      files: ['test/docs/tutorial.test.ts', file],
      times: 5,
    });
});

test('tests of faults, the simulation and the code itself, many failures at once and a run that was cut short stand', () => {
  for (const file of [
    'test/faults/kill-service.test.ts',
    'test/simulation/simulation.test.ts',
    'src/app/movements/rails.test.ts',
  ])
    assert.equal(filesToRunAgain(printed('test/docs/tutorial.test.ts', file)), undefined, file);
  assert.equal(
    filesToRunAgain(printed(...['a', 'b', 'c', 'd'].map((name) => `test/browser/${name}.test.ts`))),
    undefined,
  );
  assert.equal(
    filesToRunAgain(`${printed('test/browser/a.test.ts')}\nNo test started or ended for 480000 ms.\n`),
    undefined,
  );
  assert.equal(filesToRunAgain('ℹ fail 1\n'), undefined);
});
