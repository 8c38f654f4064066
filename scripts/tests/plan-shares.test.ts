// Tests that the plan of `npm test` contains every file exactly once.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { filterFiles, ONLY_WHEN_NAMED, planShares } from './plan-shares.ts';

const many = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/${String(index).padStart(2, '0')}.test.ts`);
const alone = [
  ...many('test/faults', 5),
  ...many('test/simulation', 2),
  ...many('src/adapters/embedded/server', 2),
];
const together = [...many('src/domain', 37), ...many('test/http', 12)];

test('every file is in exactly one process', () => {
  assert.deepEqual(
    planShares([...together, ...alone], 2)
      .flat()
      .sort(),
    [...together, ...alone].sort(),
  );
});

test('slow tests run only when they are named, and CI names all of them', () => {
  const root = new URL('../..', import.meta.url);
  const all = globSync('{src,test,scripts,sdk/test}/**/*.test.ts', { cwd: root });
  const quick = new Set(filterFiles(all, []));
  const long = all.filter((file) => !quick.has(file));
  assert.ok(long.includes('test/simulation/planted/planted.test.ts'));
  assert.ok(long.includes('test/contract/evm/planted-evm.test.ts'));
  assert.ok(quick.has('test/simulation/planted/locate.test.ts'));
  const ci = readFileSync(new URL('.ci/run', root), 'utf8').replaceAll('\\\n', '');
  const inCi = [...ci.matchAll(/^npm test -- (.+)$/gm)].flatMap(([, patterns]) => patterns!.split(/ +/));
  for (const pattern of inCi) assert.ok(filterFiles(all, [pattern]).length > 0, `${pattern} names a file`);
  assert.deepEqual(
    long.filter((file) => !filterFiles(all, inCi).includes(file)),
    [],
  );
});

test('every name in the list of slow tests names a file', () => {
  const all = globSync('{src,test,scripts,sdk/test}/**/*.test.ts', {
    cwd: new URL('../..', import.meta.url),
  });
  for (const { source } of ONLY_WHEN_NAMED) {
    const [group, names] = /\(([^()]+)\)/.exec(source) ?? ['', ''];
    for (const name of names!.split('|')) {
      const pattern = new RegExp(source.replace(group, name));
      assert.ok(
        all.some((file) => pattern.test(file)),
        `${pattern} names a file`,
      );
    }
  }
});

test('files that start or kill processes run alone, and files of different folders share no process', () => {
  const shares = planShares([...together, ...alone], 2);
  for (const share of shares) {
    const folders = new Set(share.map((file) => file.slice(0, file.lastIndexOf('/'))));
    assert.equal(folders.size, 1);
    if (alone.includes(share[0]!)) assert.equal(share.length, 1);
  }
});

test('the slowest process starts first', () => {
  const times = { 'test/http/03.test.ts': 190, 'test/faults/02.test.ts': 170, 'src/domain/05.test.ts': 165 };
  const shares = planShares([...together, ...alone], 2, times);
  assert.deepEqual(
    shares.slice(0, 3).map(([first]) => first),
    ['test/http/03.test.ts', 'test/faults/02.test.ts', 'src/domain/05.test.ts'],
  );
});

test('a few files are spread over all lanes, and a single file is one process', () => {
  assert.deepEqual(
    planShares(many('src/domain', 3), 2).map((share) => share.length),
    [2, 1],
  );
  assert.deepEqual(planShares(many('src/domain', 1), 2), [many('src/domain', 1)]);
  assert.deepEqual(planShares(many('test/faults', 1), 2), [many('test/faults', 1)]);
});
