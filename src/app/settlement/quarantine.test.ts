// Tests two kinds of lines. If the database cannot store the text of a line, the service makes it storable. An invalid line is
// kept unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStorable, quarantineLine } from './quarantine.ts';

test('a normal line stays unchanged', () => {
  const line = { amountMinor: 5n, narration: 'NIP/KUDA/ÀDÉ 😀', raw: { deep: ['x'] } };
  assert.equal(makeStorable(line), line);
});

test('threat 13: NULs and lone surrogates are replaced everywhere, and amounts stay exact', () => {
  const line = {
    amountMinor: 10n ** 20n,
    narration: 'a\u0000b',
    raw: { deep: ['\ud800', { key: '\u0000' }] },
  };
  assert.deepEqual(makeStorable(line), {
    amountMinor: 10n ** 20n,
    narration: 'a\ufffdb',
    raw: { deep: ['\ufffd', { key: '\ufffd' }] },
  });
});

test('threat 13: text from a sender stays text, even if it looks like our encoding of a number', () => {
  const escaped = { narration: String.raw`bigint:x\u0000` };
  assert.equal(makeStorable(escaped), escaped, 'there is nothing to replace: it only looks so');
  const line = { amountMinor: 5n, narration: 'bigint:5', payerName: 'Ade\u0000', atMs: 7, none: null };
  assert.deepEqual(makeStorable(line), { ...line, payerName: 'Ade\ufffd' });
  const named = { raw: { 'bigint:x\u0000': 'bigint:x\u0000' } };
  assert.deepEqual(makeStorable(named), { raw: { 'bigint:x\ufffd': 'bigint:x\ufffd' } });
});

test('a line that is set aside is stored as text without forbidden characters', () => {
  const { quarantine } = quarantineLine('test', 'bank', 'no amount', { amountMinor: -1n, text: '\u0000' }, 7);
  assert.equal(quarantine?.raw, '{"amountMinor":"bigint:-1","text":"\\u0000"}');
  assert.ok(!quarantine.raw.includes('\u0000'));
});
