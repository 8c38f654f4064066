// Reads the records of a CSV file. Lines are joined while a quoted cell is open, but only a few lines, so that a missing quote
// breaks one row and not the rest of the file. Then csv-parse reads the cells.
import { parse } from 'csv-parse/sync';
import { MOST_CHARACTERS, type TextLine } from '../text/text-stream.ts';

export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** True if the file ends in this record without a line end. */
  readonly isOpen?: boolean;
}

/** `newTable`: the name of the sheet that begins here. */
export type CsvItem =
  | CsvRecord
  | { readonly line: number; readonly problem: string }
  | { readonly line: number; readonly newTable: string };

const MOST_LINES = 20;
/** A line with more cells than this does not belong to a statement. */
const MOST_CELLS = 200;

interface RecordText {
  readonly line: number;
  readonly text: string;
  readonly isOpen: boolean;
}

export async function* readCsvRecords(
  lines: AsyncIterable<readonly TextLine[]>,
  delimiter: string,
): AsyncGenerator<readonly CsvItem[]> {
  let open: TextLine[] = [];
  for await (const group of lines) {
    const out: (RecordText | CsvItem)[] = [];
    open = gatherRecords([...open, ...group], delimiter, out, false);
    yield cellsOf(out, delimiter);
  }
  const out: (RecordText | CsvItem)[] = [];
  gatherRecords(open, delimiter, out, true);
  yield cellsOf(out, delimiter);
}

function gatherRecords(
  lines: readonly TextLine[],
  delimiter: string,
  out: (RecordText | CsvItem)[],
  isEnd: boolean,
): TextLine[] {
  for (let at = 0; at < lines.length; ) {
    const { number: line, text } = lines[at]!;
    if (text === null) {
      out.push({ line, problem: `the line is longer than ${MOST_CHARACTERS} characters` });
      at++;
      continue;
    }
    const length = recordLength(lines, at, text, delimiter);
    if (length === 'goes on' && !isEnd) return lines.slice(at);
    if (typeof length !== 'number') {
      out.push({ line, problem: 'a quote in this line is not closed' });
      // If the file ends inside the quotes, all lines up to the end are a part of the cell.
      if (length === 'goes on') return [];
      at++;
      continue;
    }
    if (length > 1 || text.trim() !== '') out.push(joinLines(lines.slice(at, at + length)));
    at += length;
  }
  return [];
}

function joinLines(lines: readonly TextLine[]): RecordText {
  return {
    line: lines[0]!.number,
    text: lines.map((each) => each.text).join('\n'),
    isOpen: lines.at(-1)!.isOpen === true,
  };
}

function recordLength(
  lines: readonly TextLine[],
  at: number,
  first: string,
  delimiter: string,
): number | 'goes on' | 'not closed' {
  if (!first.includes('"')) return 1;
  let text = first;
  for (let length = 1; length <= MOST_LINES; length++) {
    if (!endsInQuotedCell(text, delimiter)) return length;
    const next = lines[at + length];
    if (next === undefined) return 'goes on';
    if (next.text === null || text.length + next.text.length > MOST_CHARACTERS) return 'not closed';
    text += `\n${next.text}`;
  }
  return 'not closed';
}

/** Whether the text ends inside a quoted cell. In a cell that does not begin with a quote, a quote is an ordinary character. */
function endsInQuotedCell(text: string, delimiter: string): boolean {
  let quoted = false;
  let atStart = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quoted) {
      if (character !== '"') continue;
      if (text[at + 1] === '"') at++;
      else if (at + 1 === text.length || text[at + 1] === delimiter || text[at + 1] === '\n') quoted = false;
    } else if (character === '"' && atStart) {
      quoted = true;
      atStart = false;
    } else atStart = character === delimiter || character === '\n';
  }
  return quoted;
}

function cellsOf(pieces: readonly (RecordText | CsvItem)[], delimiter: string): readonly CsvItem[] {
  const texts = pieces.flatMap((piece) => ('text' in piece ? [piece] : []));
  const parsed = parseRecordTexts(texts, delimiter);
  let at = 0;
  return pieces.map((piece) => {
    if (!('text' in piece)) return piece;
    const cells = parsed[at++]!;
    if (typeof cells === 'string') return { line: piece.line, problem: cells };
    if (piece.text.includes('\u0000')) return { line: piece.line, problem: 'the line has a NUL character' };
    if (cells.length > MOST_CELLS)
      return { line: piece.line, problem: `the line has more than ${MOST_CELLS} columns` };
    return { line: piece.line, cells, isOpen: piece.isOpen };
  });
}

/** Parses all records at once, because that is fast. If the result does not match the lines, parses the records one by one. */
function parseRecordTexts(
  pieces: readonly RecordText[],
  delimiter: string,
): readonly (readonly string[] | string)[] {
  try {
    const records = parseText(pieces.map(({ text }) => text).join('\n'), delimiter);
    if (records.length === pieces.length) return records;
  } catch {}
  return pieces.map(({ text }) => {
    try {
      const records = parseText(text, delimiter);
      return records.length === 1 ? records[0]! : 'the quotes of this line are not readable';
    } catch {
      return 'the quotes of this line are not readable';
    }
  });
}

function parseText(text: string, delimiter: string): string[][] {
  return parse(text, {
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: '\n',
  });
}

export function cellsOfLine(text: string, delimiter: string): readonly string[] | undefined {
  try {
    return parseText(text, delimiter)[0];
  } catch {
    return undefined;
  }
}
