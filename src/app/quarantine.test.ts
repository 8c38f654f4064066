// What cannot be stored as it came is made storable, and what makes no sense is kept whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleaned, setAside } from './quarantine.ts';

test('a line without anything odd is the same line', () => {
  const line = { amountMinor: 5n, narration: 'NIP/KUDA/ÀDÉ 😀', raw: { deep: ['x'] } };
  assert.equal(cleaned(line), line);
});

test('threat 13: NULs and halves of characters are replaced wherever they are, and amounts stay exact', () => {
  const line = {
    amountMinor: 10n ** 20n,
    narration: 'a\u0000b',
    raw: { deep: ['\ud800', { key: '\u0000' }] },
  };
  assert.deepEqual(cleaned(line), {
    amountMinor: 10n ** 20n,
    narration: 'a\ufffdb',
    raw: { deep: ['\ufffd', { key: '\ufffd' }] },
  });
});

test('what is set aside is kept as text that can be stored', () => {
  const { quarantine } = setAside('test', 'bank', 'no amount', { amountMinor: -1n, text: '\u0000' }, 7);
  assert.equal(quarantine?.raw, '{"amountMinor":"bigint:-1","text":"\\u0000"}');
  assert.ok(!quarantine.raw.includes('\u0000'));
});
