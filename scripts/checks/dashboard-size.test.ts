// Tests the size of the first load. It counts the entry file and its static imports, and refuses a larger build.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { filesOfFirstLoad, findLargeFirstLoad } from './dashboard-size.ts';

const root = path.dirname(path.dirname(import.meta.dirname));

test('the entry and its imports are counted once, and pages are not counted', () => {
  const manifest = {
    'index.html': { file: 'a.js', isEntry: true, imports: ['_b', '_c'], dynamicImports: ['page'] },
    _b: { file: 'b.js', imports: ['_c'] },
    _c: { file: 'c.js', imports: ['_b'] },
    page: { file: 'page.js', imports: ['_d'] },
    _d: { file: 'd.js' },
  };
  assert.deepEqual(filesOfFirstLoad(manifest), ['a.js', 'b.js', 'c.js']);
});

test('the built dashboard is within the budget, and a smaller budget would refuse it', () => {
  assert.deepEqual(findLargeFirstLoad(root), []);
  assert.match(findLargeFirstLoad(root, 10)[0] ?? '', /the first load is \d+ kB/);
});
