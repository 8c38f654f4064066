// Reads the rows of the tables in an HTML page. Some banks give such a page a name that ends in .xls. Such pages are not
// well-formed XML (unclosed cells, attributes without quotes), so an XML parser refuses them. This reader reads only tables,
// row by row.

import { StreamedText } from '../text/elements.ts';
import { MOST_CHARACTERS } from '../text/text-stream.ts';
import type { CsvItem } from './csv-records.ts';

type HtmlItem = Exclude<CsvItem, { newTable: string }>;

const ROW_START = /<tr\b[^<>]*>/i;
const ROW_END = /<\/tr\s*>|<tr\b|<\/table\s*>/gi;
const CELL = /<t[dh]\b[^<>]*>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '-', mdash: '-' },
};
const LONGEST_TAG = 2_000;
const LONGEST_MARK = 20;

const HIDDEN = /<!--|<script\b|<style\b/i;
const HIDDEN_END: Readonly<Record<string, RegExp>> = {
  '<!--': /-->/,
  '<script': /<\/script\s*>/i,
  '<style': /<\/style\s*>/i,
};

/**
 * Returns the page without comments, scripts and styles, because they may contain text that looks like rows. Line breaks are
 * kept.
 */
async function* visibleText(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let end: RegExp | null = null;
  for await (const piece of text) {
    rest += piece;
    let out = '';
    for (;;) {
      const found: RegExpExecArray | null = (end ?? HIDDEN).exec(rest);
      if (found === null) break;
      const passed = rest.slice(0, found.index);
      out += end === null ? passed : passed.replaceAll(/[^\n]/g, '');
      end = end === null ? HIDDEN_END[found[0].toLowerCase()]! : null;
      rest = rest.slice(found.index + found[0].length);
    }
    // The text may end with an incomplete tag or comment mark, so its end waits for the next piece.
    const sure = Math.max(0, rest.length - LONGEST_MARK);
    out += end === null ? rest.slice(0, sure) : rest.slice(0, sure).replaceAll(/[^\n]/g, '');
    rest = rest.slice(sure);
    if (out !== '') yield out;
  }
  if (end === null) yield rest;
}

export async function* htmlRecords(page: AsyncIterable<string>): AsyncGenerator<readonly HtmlItem[]> {
  const text = new StreamedText();
  for await (const piece of visibleText(page)) {
    text.add(piece);
    const records: HtmlItem[] = [];
    for (let next = takeRow(text); next !== null; next = takeRow(text)) records.push(next);
    if (records.length > 0) yield records;
  }
  const start = ROW_START.exec(text.rest);
  if (start === null || !/<t[dh]\b/i.test(text.rest)) return;
  text.pass(start.index);
  yield [{ line: text.line, problem: 'the file ends inside of this row, so the row was not imported' }];
}

/** Returns the next row, or null if there is none or the row is incomplete. */
function takeRow(text: StreamedText): HtmlItem | null {
  const start = ROW_START.exec(text.rest);
  if (start === null) {
    text.keep(LONGEST_TAG);
    return null;
  }
  text.pass(start.index);
  const { rest, line } = text;
  ROW_END.lastIndex = start[0].length;
  const end = ROW_END.exec(rest);
  if (end === null && rest.length <= MOST_CHARACTERS) return null;
  text.pass(end?.index ?? start[0].length);
  if (end === null) return { line, problem: `the row is longer than ${MOST_CHARACTERS} characters` };
  return { line, cells: cellsIn(rest.slice(start[0].length, end.index)) };
}

function cellsIn(row: string): string[] {
  const starts = [...row.matchAll(CELL)];
  return starts.slice(0, 200).flatMap((start, at) => {
    const from = start.index + start[0].length;
    const next = starts[at + 1]?.index ?? row.length;
    const span = /\bcolspan\s*=\s*["']?(\d{1,2})/i.exec(start[0])?.[1];
    const blanks = span === undefined ? 0 : Math.max(0, Number(span) - 1);
    return [textOf(row.slice(from, next)), ...Array.from({ length: Math.min(blanks, 20) }, () => '')];
  });
}

function textOf(html: string): string {
  return html
    .replaceAll(/<br\s*\/?>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(
      /&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi,
      (whole, name: string) => decodeEntity(name) ?? whole,
    )
    .replaceAll(/[ \t\r\u00a0]+/g, ' ')
    .replaceAll(/ ?\n+ ?/g, '\n')
    .replaceAll('\u0000', '')
    .trim();
}

function decodeEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
