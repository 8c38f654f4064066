// Reads the sheets of an Excel workbook as records, like the lines of a CSV file: numbers become exact text, dates become days.
// The column profiles then read them. A cell with a formula is not used, because its stored value may be out of date.

import type { CsvItem } from '../csv/csv-records.ts';
import { nodeIn, nodesIn, type XmlNode } from '../text/xml-nodes.ts';
import { type Archive, damaged, MOST_SHEET_BYTES, openArchive } from './archive.ts';
import { dateText, numberText } from './number-text.ts';
import {
  attributeIn,
  elementsIn,
  rawText,
  readWorkbook,
  type Sheet,
  textOfString,
  type Workbook,
} from './workbook.ts';

const MOST_COLUMNS = 200;
/** Cells behind the last one with a value are missing in a workbook. */
const LEAST_CELLS = 40;

export interface OpenedWorkbook {
  /** The first records of the sheets; they are read again by `records`. */
  head(): AsyncGenerator<readonly CsvItem[]>;
  records(decimal: '.' | ','): AsyncGenerator<readonly CsvItem[]>;
}

export async function openWorkbook(bytes: AsyncIterable<Uint8Array>): Promise<OpenedWorkbook> {
  const archive = await openArchive(bytes);
  const workbook = await readWorkbook(archive);
  return {
    head: () => recordsOf(archive, workbook, '.'),
    records: (decimal) => recordsOf(archive, workbook, decimal),
  };
}

async function* recordsOf(
  archive: Archive,
  workbook: Workbook,
  decimal: '.' | ',',
): AsyncGenerator<readonly CsvItem[]> {
  for (const sheet of workbook.sheets) {
    yield [{ line: 1, newTable: sheet.name }];
    yield* sheetRecords(archive, workbook, sheet, decimal);
  }
}

async function* sheetRecords(
  archive: Archive,
  workbook: Workbook,
  { part }: Sheet,
  decimal: '.' | ',',
): AsyncGenerator<readonly CsvItem[]> {
  let line = 0;
  for await (const rows of elementsIn(archive, part, 'worksheet', 'row', MOST_SHEET_BYTES)) {
    const records: CsvItem[] = [];
    for (const { node } of rows) {
      const number = Number(attributeIn(node, 'r') ?? line + 1);
      if (!Number.isSafeInteger(number) || number <= line) throw damaged();
      line = number;
      records.push(recordOf(node, line, workbook, decimal));
    }
    yield records;
  }
}

function recordOf(row: XmlNode, line: number, workbook: Workbook, decimal: '.' | ','): CsvItem {
  const cells: string[] = Array.from({ length: LEAST_CELLS }, () => '');
  let next = 0;
  for (const cell of nodesIn(row, 'c')) {
    const at = columnOf(attributeIn(cell, 'r')) ?? next;
    if (at < next) throw damaged();
    next = at + 1;
    const text = cellText(cell, workbook);
    if (typeof text !== 'string') return { line, problem: `column ${at + 1}: ${text.problem}` };
    if (text === '') continue;
    if (at >= MOST_COLUMNS) return { line, problem: `the row has more than ${MOST_COLUMNS} columns` };
    while (cells.length < at) cells.push('');
    cells[at] = isNumber(cell) && decimal === ',' ? text.replace('.', ',') : text;
  }
  return { line, cells };
}

/** `C7` is column 2. Null: the cell has no place of its own, so it follows the cell before it. */
function columnOf(place: string | null): number | null {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(place ?? '')?.[1];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function isNumber(cell: XmlNode): boolean {
  return ['n', null].includes(attributeIn(cell, 't'));
}

const FORMULA =
  'the cell has a formula, and its value may be out of date: replace the formulas of the sheet by their values';

function cellText(cell: XmlNode, workbook: Workbook): string | { readonly problem: string } {
  if (nodeIn(cell, 'f') !== undefined) return { problem: FORMULA };
  const value = rawText(nodeIn(cell, 'v'));
  switch (attributeIn(cell, 't') ?? 'n') {
    case 's': {
      const text = /^\d{1,9}$/.test(value?.trim() ?? '') ? workbook.texts[Number(value)] : undefined;
      if (text === undefined) throw damaged();
      return text;
    }
    case 'inlineStr':
      return textOfString(nodeIn(cell, 'is'));
    case 'str':
      return value ?? '';
    case 'd':
      return (value ?? '').replace('T', ' ').replace(/ 00:00:00(?:\.0+)?Z?$/, '');
    case 'b':
      return value?.trim() === '1' ? 'TRUE' : 'FALSE';
    case 'e':
      return { problem: 'the cell has an error instead of a value' };
    case 'n':
      return value === null || value.trim() === '' ? '' : numberCell(value, cell, workbook);
    default:
      return { problem: 'the cell is of an unknown kind' };
  }
}

function numberCell(value: string, cell: XmlNode, { isDateStyle, is1904 }: Workbook): string {
  const style = Number(attributeIn(cell, 's') ?? '0');
  return isDateStyle[style] === true ? dateText(value, is1904) : numberText(value);
}
