// Tests that outdated lists of folders are reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStaleRows, findStaleSentences } from './folder-lists.ts';

const README = `src/
  app/               use-cases: intake/ review/
                     ledger/
  domain/            rules: values/
  adapters/          implementations: banks/
dashboard/           pages: api/
test/                tests: http/
`;
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'src/app': ['intake', 'review', 'ledger'],
  ...{ 'src/domain': ['values'], 'src/adapters': ['banks'], 'dashboard/src': ['api'], test: ['http'] },
};

test('a row that lists every folder is correct, even if it continues on the next line', () => {
  assert.deepEqual(
    findStaleRows(README, (room) => FOLDERS[room]!),
    [],
  );
});

test('a folder missing from a row, a folder that no longer exists and a missing row are reported', () => {
  const now = { ...FOLDERS, 'src/app': ['intake', 'review', 'quotes'] };
  assert.deepEqual(
    findStaleRows(README, (room) => now[room as keyof typeof now]!),
    ['README.md:2: the row app/ has no quotes/', 'README.md:2: the row app/ has ledger/, which is not there'],
  );
  const without = README.replace('test/ ', 'tests ');
  assert.deepEqual(
    findStaleRows(without, (room) => FOLDERS[room]!),
    ['README.md: the layout has no row "test/"'],
  );
});

test('if CONTRIBUTING.md has another order, the required lines are printed', () => {
  const order = { 'src/domain': ['values', 'ledger'], 'src/app': ['input'] };
  assert.deepEqual(findStaleSentences('- `src/domain`: values, ledger\n- `src/app`: input\n', order), []);
  assert.deepEqual(findStaleSentences('- `src/domain`: ledger, values\n- `src/app`: input\n', order), [
    'CONTRIBUTING.md: the order of src/domain is now\n- `src/domain`: values, ledger',
  ]);
});
