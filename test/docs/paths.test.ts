// Tests that every file of the repository that README, CONTRIBUTING and the pages in docs/ name exists.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { findMissingPaths } from '../../scripts/checks/doc-paths.ts';

test('every path and link in the docs exists', () => {
  assert.deepEqual(findMissingPaths(path.resolve(import.meta.dirname, '../..')), []);
});
