// Tests the exceptions of transactions: the code uses every exception in the list, and docs/concepts/states.md explains each.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EXCEPTIONS, REFUND_DECIDED } from './exceptions.ts';

const ROOT = new URL('../../..', import.meta.url);
const sources = globSync('src/{domain,app}/**/*.ts', { cwd: ROOT })
  .filter(
    (path) => !path.endsWith('.test.ts') && !/(exceptions|refusals|reasons|public-words)\.ts$/.test(path),
  )
  .map((path) => readFileSync(new URL(path, ROOT), 'utf8'));

const nameOf = (exception: string) => (exception === REFUND_DECIDED ? 'REFUND_DECIDED' : `'${exception}'`);

test('the code uses every exception in the list', () => {
  for (const exception of EXCEPTIONS)
    assert.ok(
      sources.some((source) => source.includes(nameOf(exception))),
      exception,
    );
});

test('docs/concepts/states.md explains every exception, in the same order', () => {
  const page = readFileSync(new URL('docs/concepts/states.md', ROOT), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith('Exceptions\n')) ?? '';
  const written = [...section.matchAll(/^\| `([a-z_]+)` \| (?:buy|sell|both) \| `[a-z_]+` \| [^|]+ \|$/gm)];
  assert.deepEqual(
    written.map(([, word]) => word),
    EXCEPTIONS,
  );
});
