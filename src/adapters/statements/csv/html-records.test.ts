// Tests the reader of tables in an HTML page. The page is split into pieces at any position.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_CHARACTERS } from '../text/text-stream.ts';
import type { CsvItem } from './csv-records.ts';
import { htmlRecords } from './html-records.ts';

/** The reader does not process this many characters at the end of each piece yet, because a tag may begin there. */
const KEPT_BACK = 20;

async function read(...pieces: readonly string[]): Promise<readonly CsvItem[]> {
  async function* page() {
    yield* pieces;
  }
  const all: CsvItem[] = [];
  for await (const some of htmlRecords(page())) all.push(...some);
  return all;
}

test('rows and their line numbers are the same for a page in one piece and in many pieces', async () => {
  const page =
    '<table>\n<tr><td>a&amp;b<td colspan=2>c\n<tr class=x><TH>d<br>e</TH></tr>\n<!-- <tr><td>no</tr> -->\n' +
    '<script>"<tr><td>no</tr>"</script><tr><td>&#8358;1</td></tr></table>';
  const expected = [
    { line: 2, cells: ['a&b', 'c', ''] },
    { line: 3, cells: ['d\ne'] },
    { line: 5, cells: ['₦1'] },
  ];
  assert.deepEqual(await read(page), expected);
  assert.deepEqual(await read(...page), expected);
});

test('an unfinished row is read up to a maximum length; a longer row is reported as a problem', async () => {
  const begin = '<tr><td>';
  const row = (shown: number) => begin.padEnd(shown + KEPT_BACK, 'x');
  const end = '</td></tr>'.padEnd(2 * KEPT_BACK);
  const [whole] = await read(row(MOST_CHARACTERS), end);
  assert.ok(whole !== undefined && 'cells' in whole);
  assert.equal(whole.cells[0]!.length, MOST_CHARACTERS + KEPT_BACK - begin.length);
  const [long] = await read(row(MOST_CHARACTERS + 1), end);
  assert.deepEqual(long, { line: 1, problem: `the row is longer than ${MOST_CHARACTERS} characters` });
});
