// Tests that the stored text of an endpoint's response is safe to store and show. A valid retry-after is used and an invalid
// one is ignored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerText, retryAfterMs } from './answer.ts';

const kept = (text: string) => answerText([Buffer.from(text)]);

test('secrets in a response are redacted', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['key sk_live_0123abcDEF, ok', 'key [redacted], ok'],
    ['sk_test_0123abcDEF', '[redacted]'],
    ['{"secret":"whsec_c2Vj+cmV0/A=="}', '{"secret":"[redacted]"}'],
    ['whsk_c2VjcmV0', '[redacted]'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: [redacted]'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: [redacted]'],
    ['token eyJhbGciOi.eyJzdWIiOi.c2ln end', 'token [redacted] end'],
    ['{"password": "hunter22", "name": "Ada"}', '{"password": "[redacted]", "name": "Ada"}'],
    ['api_key=abcdef&next=1', 'api_key=[redacted]&next=1'],
    ['-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----!', '[redacted]!'],
    ['-----BEGIN PRIVATE KEY-----\nMHcC', '[redacted]'],
    ['the bearer of this letter', 'the bearer of this letter'],
    ['whpk_public signature ok', 'whpk_public signature ok'],
  ];
  for (const [given, expected] of cases) assert.equal(kept(given), expected);
});

test('a secret is redacted even if it arrives in pieces or is cut off', () => {
  assert.equal(answerText(['sk_li', 've_abc', 'def'].map((each) => Buffer.from(each))), '[redacted]');
  const cut = kept(`${'x'.repeat(4_080)} sk_live_0123456789abcdef`);
  assert.doesNotMatch(cut, /sk_live|0123/);
});

test('control characters, separators and text direction marks are escaped', () => {
  assert.equal(kept('a\0b\u001b[31mc\r\n\td\u007f\u0085'), 'a\\x00b\\x1b[31mc\\r\\n\\td\\x7f\\x85');
  assert.equal(kept('x\u202ey\u2066z\u2028\u200f'), 'x\\u202ey\\u2066z\\u2028\\u200f');
  assert.equal(kept('Adé ₦ 🏦'), 'Adé ₦ 🏦');
});

test('at most 4 kB are kept, even if escapes make the text longer, and no character is cut in half', () => {
  for (const character of ['z', '\0', '₦', '🏦', '\n'])
    for (const shift of ['', 'a', 'ab', 'abc']) {
      const text = kept(shift + character.repeat(70_000 / character.length));
      assert.ok(Buffer.byteLength(text) <= 4_096, character);
      assert.ok(Buffer.byteLength(text) > 4_080, character);
      assert.ok(text.isWellFormed() && !text.includes('\ufffd'), character);
    }
  const broken = answerText([Buffer.alloc(5_000, 0xff)]);
  assert.ok(Buffer.byteLength(broken) <= 4_096 && broken.startsWith('\ufffd'));
});

test('retry-after may be seconds or a date, at most a day; any other value is ignored', () => {
  const nowMs = Date.UTC(2026, 10, 16, 5, 0, 0);
  const date = (atMs: number) => new Date(atMs).toUTCString();
  const cases: readonly (readonly [string | string[] | undefined, number | null])[] = [
    ['1', 1_000],
    [' 120 ', 120_000],
    ['86400', 86_400_000],
    ['86401', 86_400_000],
    ['999999999999999', 86_400_000],
    [date(nowMs + 60_000), 60_000],
    [date(nowMs + 90 * 86_400_000), 86_400_000],
    [['5', '60', 'x'], 60_000],
    ...[undefined, '', '0', '-1', '-120', '1.5', '1e3', '0x10', '+5', '12 s', 'soon', 'NaN', 'Infinity'].map(
      (each) => [each, null] as const,
    ),
    ...['2026-11-16T06:00:00Z', 'Mon, 32 Nov 2026 05:00:00 GMT', '9'.repeat(16), '1, 2'].map(
      (each) => [each, null] as const,
    ),
    [date(nowMs), null],
    [date(nowMs - 60_000), null],
    [[], null],
  ];
  for (const [value, expected] of cases) assert.equal(retryAfterMs(value, nowMs), expected, String(value));
});
