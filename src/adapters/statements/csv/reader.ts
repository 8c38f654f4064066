// Opens a table in CSV or HTML: finds the header, chooses the profile that matches it, and reads the rows after it.
import type { StatementItem } from '../../../domain/statements/row.ts';
import { type OpenedStatement, UnreadableStatement } from '../../../ports/statements.ts';
import { decodeHead, decodeText, type PeekedStream, splitIntoLines } from '../text/text-stream.ts';
import { type ColumnMap, type ColumnProfile, findColumns } from './column-profile.ts';
import { type CsvItem, type CsvRecord, cellsOfLine, readCsvRecords } from './csv-records.ts';
import { htmlRecords } from './html-records.ts';
import { Preamble } from './preamble.ts';
import { TableReader } from './table-reader.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const MOST_PREAMBLE = 300;

export function openCsv(
  peeked: PeekedStream,
  profiles: readonly ColumnProfile[],
  wanted: string | null,
): OpenedStatement {
  const allowed = allowedProfiles(profiles, wanted);
  const lines = decodeHead(peeked.head).split(/\r\n|\n|\r/, MOST_PREAMBLE);
  for (const text of lines)
    for (const delimiter of DELIMITERS) {
      if (text.length > 10_000) continue;
      const cells = cellsOfLine(text, delimiter);
      const profile = cells && allowed.find((each) => findColumns(each, cells) !== undefined);
      if (profile !== undefined) {
        const records = readCsvRecords(splitIntoLines(decodeText(peeked)), delimiter);
        return {
          format: 'csv',
          profile: profile.name,
          listing: 'everything',
          items: itemsOf(records, profile),
        };
      }
    }
  throw new UnreadableStatement(noHeaderReason(profiles, wanted));
}

export async function openHtml(
  peeked: PeekedStream,
  profiles: readonly ColumnProfile[],
  wanted: string | null,
): Promise<OpenedStatement> {
  const allowed = allowedProfiles(profiles, wanted);
  const head = (async function* () {
    yield decodeHead(peeked.head);
  })();
  for await (const group of htmlRecords(head))
    for (const record of group) {
      if ('problem' in record) continue;
      const profile = allowed.find((each) => findColumns(each, record.cells) !== undefined);
      if (profile === undefined) continue;
      const items = itemsOf(htmlRecords(decodeText(peeked)), profile);
      return { format: 'html', profile: profile.name, listing: 'everything', items };
    }
  throw new UnreadableStatement(noHeaderReason(profiles, wanted));
}

function allowedProfiles(
  profiles: readonly ColumnProfile[],
  wanted: string | null,
): readonly ColumnProfile[] {
  if (wanted === null) return profiles;
  const profile = profiles.find(({ name }) => name === wanted);
  if (profile !== undefined) return [profile];
  const names = profiles.map(({ name }) => name).join(', ');
  throw new UnreadableStatement(`There is no profile ${wanted}. Known: ${names}.`);
}

function noHeaderReason(profiles: readonly ColumnProfile[], wanted: string | null): string {
  if (wanted !== null)
    return `The file has no header with the columns of the profile ${wanted}. See them with: sliproad statements profiles`;
  const names = profiles.map(({ name }) => name).join(', ');
  return `No header of a known bank is in the file (profiles: ${names}). Add a profile for it in STATEMENT_PROFILES_FILE: see docs/operate/statements.md.`;
}

async function* itemsOf(
  records: AsyncIterable<readonly CsvItem[]>,
  profile: ColumnProfile,
): AsyncGenerator<readonly StatementItem[]> {
  const preamble = new Preamble(profile.decimal);
  let table: TableReader | null = null;
  for await (const group of records) {
    const items: StatementItem[] = [];
    for (const record of group) {
      if (table !== null) {
        items.push(...table.take(record));
        continue;
      }
      const columns: ColumnMap | undefined =
        'problem' in record ? undefined : findColumns(profile, record.cells);
      if (columns !== undefined) {
        table = new TableReader(profile, columns, (record as CsvRecord).cells.length);
        items.push(...preamble.items());
      } else if (!('problem' in record)) preamble.add(record.cells.map(stripQuotes), record.line);
    }
    if (items.length > 0) yield items;
  }
  if (table !== null) yield table.end();
}

function stripQuotes(cell: string): string {
  return cell.replace(/^\s*="([^"]*)"\s*$/, '$1');
}
