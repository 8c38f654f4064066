// Tests how values are shown to people: naira with two decimals, times with their zone, and cells that a spreadsheet does not
// execute.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from '../../domain/values/csv.ts';
import { timeOption } from './client-command.ts';
import { nairaText, timeText } from './show.ts';

test('an amount from the API is shown as naira, for example ₦15,000.00', () => {
  assert.deepEqual([15000, 15000.5, 0.01, 9999999999999.99].map(nairaText), [
    '₦15,000.00',
    '₦15,000.50',
    '₦0.01',
    '₦9,999,999,999,999.99',
  ]);
});

test('a time is shown with its time zone and stays the same instant', () => {
  const shown = timeText('2026-11-16T05:00:00.000Z');
  assert.match(shown, /^2026-11-1[56] \d\d:\d\d:00 [+-]\d\d:\d\d$/);
  assert.equal(Date.parse(shown.replace(' ', 'T').replace(' ', '')), Date.parse('2026-11-16T05:00:00Z'));
  assert.equal(timeText('soon'), 'soon');
});

test('a time option must be a date or a time', () => {
  assert.equal(timeOption('2026-11-16', '--from'), '2026-11-16T00:00:00.000Z');
  assert.equal(timeOption('2026-11-16T06:00:00+01:00', '--from'), '2026-11-16T05:00:00.000Z');
  for (const text of ['yesterday', '16', '2026-13-01', '2026'])
    assert.throws(() => timeOption(text, '--from'), /--from must be a date or time/);
});

test('threat 79: a cell that a spreadsheet would execute gets a leading apostrophe', () => {
  const dangerous = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '=HYPERLINK("http://x","y")',
    '＝1',
  ];
  for (const text of dangerous) assert.match(csvLine([text]), /^"?'/, JSON.stringify(text));
  assert.equal(csvLine(['=A,"b"']), `"'=A,""b"""`);
});

test('other cells stay unchanged, with quotes if CSV requires them', () => {
  assert.equal(
    csvLine(['a', 'b,c', 'd"e', 'f\ng', null, undefined, 12.5, -3]),
    'a,"b,c","d""e","f\ng",,,12.5,-3',
  );
});
