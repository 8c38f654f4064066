// Tests responses that are cached per snapshot. Each response is rendered once, has its own validators, and is never used for
// another mode.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogueSnapshot } from '../../ports/catalogue.ts';
import { cachePerSnapshot, makeCachedAnswer } from './cached-answer.ts';

const snapshot = (generation: number) => ({ generation }) as CatalogueSnapshot;

test('a response is rendered once per snapshot and mode', () => {
  const rendered: string[] = [];
  const answerFor = cachePerSnapshot(({ generation }, mode) => {
    rendered.push(`${generation} ${mode}`);
    return `${generation} ${mode}`;
  });
  const [first, second] = [snapshot(1), snapshot(2)];
  for (let i = 0; i < 3; i++) {
    assert.equal(answerFor(first, 'test'), '1 test');
    assert.equal(answerFor(first, 'live'), '1 live');
  }
  assert.equal(answerFor(second, 'test'), '2 test');
  assert.equal(answerFor(second, 'live'), '2 live');
  assert.deepEqual(rendered, ['1 test', '1 live', '2 test', '2 live']);
});

test('the result undefined is cached like any other result', () => {
  let calls = 0;
  const answerFor = cachePerSnapshot(() => {
    calls++;
    return undefined;
  });
  assert.deepEqual([answerFor(snapshot(1), 'test'), answerFor(snapshot(1), 'test')], [undefined, undefined]);
  assert.equal(calls, 1);
});

test('equal bodies have equal etags, different bodies have different etags, and dates are in whole seconds', () => {
  const [a, b, c] = [
    makeCachedAnswer({ x: 1 }, 1_999),
    makeCachedAnswer({ x: 1 }, 5_000),
    makeCachedAnswer({ x: 2 }, 1_999),
  ];
  assert.equal(a.etag, b.etag);
  assert.notEqual(a.etag, c.etag);
  assert.match(a.etag, /^"[A-Za-z0-9_-]{22}"$/);
  assert.equal(a.body, '{"x":1}');
  assert.deepEqual([a.lastModified, a.lastModifiedMs], ['Thu, 01 Jan 1970 00:00:01 GMT', 1_000]);
});
