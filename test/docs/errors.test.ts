// Tests that docs/integrate/errors.md explains every code of the API, with its status.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { REFUSAL_CODES } from '../../src/domain/values/refusals.ts';
import { STATUS_OF_CODE } from '../../src/http/errors.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/integrate/errors.md'), 'utf8');

test('the table of errors lists every code once, with its status', () => {
  const rows = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)];
  const explained = rows.map(([, status, code]) => `${status} ${code}`);
  const known = REFUSAL_CODES.map((code) => `${STATUS_OF_CODE[code]} ${code}`);
  assert.deepEqual(explained.toSorted(), known.toSorted());
});
