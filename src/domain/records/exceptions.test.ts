// The exceptions of transactions: the list has what the code assigns and nothing else, and docs/states.md explains each.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXCEPTIONS } from './exceptions.ts';

const ROOT = new URL('../../../', import.meta.url);
/** Of credits and deposits only: no transaction ever shows them. */
const OF_RECORDS = ['no_claim', 'ambiguous', 'wrong_token', 'unattributed', 'too_small', 'reorganised'];

const sources = globSync('src/{domain,app}/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts') && !/(exceptions|refusals)\.ts$/.test(path))
  .map((path) => readFileSync(new URL(path, ROOT), 'utf8'));

test('every exception is made somewhere', () => {
  for (const exception of EXCEPTIONS)
    assert.ok(
      sources.some((source) => source.includes(`'${exception}'`)),
      exception,
    );
});

test('every exception that is named where one is assigned is in the list', () => {
  const assigned = /(?:\bexception: |\bhold: |\bheld\(transaction, |\bkept\(deposit, )'([a-z_]+)'/g;
  const known: readonly string[] = [...EXCEPTIONS, ...OF_RECORDS];
  const found = sources.flatMap((source) => [...source.matchAll(assigned)].map(([, word]) => word!));
  assert.ok(found.length > 10);
  assert.deepEqual(
    found.filter((word) => !known.includes(word)),
    [],
  );
});

test('docs/states.md explains every exception, in the same order', () => {
  const page = readFileSync(new URL('docs/states.md', ROOT), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith('Exceptions\n')) ?? '';
  const written = [...section.matchAll(/^\| `([a-z_]+)` \| (?:buy|sell|both) \| [^|]+ \|$/gm)];
  assert.deepEqual(
    written.map(([, word]) => word),
    EXCEPTIONS,
  );
});
