// The plan of `npm test` loses no file and runs none twice.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chosen, plan } from './test-plan.ts';

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
    plan([...together, ...alone], 2)
      .flat()
      .sort(),
    [...together, ...alone].sort(),
  );
});

test('the tests of tests run when they are named, and CI names them', () => {
  const named = [
    'test/simulation/planted/planted.test.ts',
    'test/simulation/coverage/coverage.test.ts',
    'test/contract/evm/planted-evm.test.ts',
    'test/contract/solana/planted-solana.test.ts',
    'test/contract/stellar/planted-stellar.test.ts',
    'test/docs/adding-a-network.test.ts',
    'test/docs/people.test.ts',
    'test/docs/tutorial.test.ts',
  ];
  const others = [...together, ...alone, 'test/simulation/planted/locate.test.ts'];
  assert.deepEqual(chosen([...others, ...named], []), others);
  const pages = ['docs/adding-a-network', 'docs/people', 'docs/tutorial'];
  const asked = ['simulation/planted/planted', 'simulation/coverage', '/planted-', ...pages];
  assert.deepEqual(chosen([...others, ...named], asked), named);
  for (const file of named) assert.ok(existsSync(new URL(`../${file}`, import.meta.url)), file);
  const ci = readFileSync(new URL('../.ci/run', import.meta.url), 'utf8');
  const inCi = [...ci.matchAll(/^(?:npm test|run_tests) -- (.+)$/gm)].flatMap(([, patterns]) =>
    patterns!.split(' '),
  );
  assert.deepEqual(
    asked.filter((pattern) => !inCi.includes(pattern)),
    [],
  );
  assert.match(ci, /run_tests -- test\/browser$/m);
});

test('files that start or kill processes run alone and first', () => {
  const shares = plan([...together, ...alone], 2);
  assert.deepEqual(shares.slice(0, alone.length).flat().sort(), [...alone].sort());
  assert.ok(shares.slice(0, alone.length).every((share) => share.length === 1));
  assert.ok(shares.slice(alone.length).every((share) => share.length > 1 && share.length <= 24));
});

test('files of a browser run alone, and share a process where there is no browser', () => {
  const browser = many('test/browser', 12);
  assert.equal(plan(browser, 2).length, 12);
  const [first, ...rest] = plan([...alone, ...browser], 1, false).slice(alone.length);
  assert.deepEqual([first, rest], [browser, []]);
});

test('groups with files of test stand before the other groups', () => {
  const isLong = plan(together, 3).map((share) => share.some((file) => file.startsWith('test/')));
  assert.deepEqual(
    isLong,
    isLong.toSorted((a, b) => Number(b) - Number(a)),
  );
  assert.equal(isLong[0], true);
});

test('a few files fill every lane, and one file is one process', () => {
  assert.deepEqual(
    plan(many('src/domain', 3), 2).map((share) => share.length),
    [2, 1],
  );
  assert.deepEqual(plan(many('src/domain', 1), 2), [many('src/domain', 1)]);
  assert.deepEqual(plan(many('test/faults', 1), 2), [many('test/faults', 1)]);
});
