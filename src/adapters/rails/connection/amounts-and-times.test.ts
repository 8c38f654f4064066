// Tests the time formats of banks: with a zone, without a zone, and with slashes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBankTime } from './amounts-and-times.ts';

const iso = (text: string | null, first: 'day' | 'month' = 'day') => {
  const ms = parseBankTime(text, first);
  return ms === null ? null : new Date(ms).toISOString();
};

test('a time without a zone is read as Lagos time', () => {
  assert.equal(iso('2021-11-17 11:28:42.615'), '2021-11-17T10:28:42.615Z');
  assert.equal(iso('2024-07-01 11:33:48.0'), '2024-07-01T10:33:48.000Z');
  assert.equal(iso('2022-11-03T14:13:38.140+0000'), '2022-11-03T14:13:38.140Z');
  assert.equal(iso('2022-11-03T14:13:38+01:00'), '2022-11-03T13:13:38.000Z');
  assert.equal(iso('2022-11-03T14:13:38Z'), '2022-11-03T14:13:38.000Z');
});

test('in a date with slashes, the bank’s format decides whether the day or the month is first', () => {
  assert.equal(iso('2/13/2021 4:11:09 PM', 'month'), '2021-02-13T15:11:09.000Z');
  assert.equal(iso('30/08/2023 5:13:57 PM', 'day'), '2023-08-30T16:13:57.000Z');
  assert.equal(iso('08/07/2023 12:00:00 AM', 'day'), '2023-07-07T23:00:00.000Z');
  assert.equal(iso('08/07/2023 12:00:00 PM', 'month'), '2023-08-07T11:00:00.000Z');
});

test('any other text is not a time', () => {
  for (const text of [
    null,
    '',
    'null',
    'now',
    '2021-13-40 11:28:42',
    '13/13/2021 4:11:09 PM',
    '1637144922',
    '2021-11-17',
  ])
    assert.equal(iso(text), null, `${text}`);
});
