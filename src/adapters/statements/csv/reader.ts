// Opens a table in CSV, HTML or an Excel workbook: finds the header and chooses the profile that matches it.
import { type OpenedStatement, UnreadableStatement } from '../../../ports/statements.ts';
import { decodeHead, decodeText, type PeekedStream, splitIntoLines } from '../text/text-stream.ts';
import { openWorkbook } from '../xlsx/reader.ts';
import { type ColumnProfile, findColumns, isMentionedIn } from './column-profile.ts';
import { type CsvItem, cellsOfLine, readCsvRecords } from './csv-records.ts';
import { htmlRecords } from './html-records.ts';
import { readTables } from './table-parts.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const MOST_PREAMBLE = 300;

export interface ProfileChoice {
  readonly profiles: readonly ColumnProfile[];
  /** The profile that the operator named; null: the header decides. */
  readonly wanted: string | null;
  /** The profile of the account's last file. It is kept while it fits, because profiles write narrations differently. */
  readonly preferred: string | null;
}

export function openCsv(peeked: PeekedStream, choice: ProfileChoice): OpenedStatement {
  const head = decodeHead(peeked.head);
  const allowed = allowedProfiles(choice, head);
  const lines = head.split(/\r\n|\n|\r/, MOST_PREAMBLE);
  for (const text of lines)
    for (const delimiter of DELIMITERS) {
      if (text.length > 10_000) continue;
      const cells = cellsOfLine(text, delimiter);
      const profile = cells && allowed.find((each) => findColumns(each, cells) !== undefined);
      if (profile !== undefined)
        return opened('csv', profile, readCsvRecords(splitIntoLines(decodeText(peeked)), delimiter));
    }
  throw new UnreadableStatement(noHeaderReason(choice));
}

export async function openHtml(peeked: PeekedStream, choice: ProfileChoice): Promise<OpenedStatement> {
  const text = decodeHead(peeked.head);
  const head = (async function* () {
    yield text;
  })();
  const profile = await findProfile(
    htmlRecords(head),
    allowedProfiles(choice, text.replaceAll(/<[^<>]*>/g, ' ')),
  );
  if (profile === undefined) throw new UnreadableStatement(noHeaderReason(choice));
  return opened('html', profile, htmlRecords(decodeText(peeked)));
}

export async function openXlsx(peeked: PeekedStream, choice: ProfileChoice): Promise<OpenedStatement> {
  const workbook = await openWorkbook(peeked.all);
  const words: string[] = [];
  let count = 0;
  for await (const group of workbook.head()) {
    for (const record of group) if ('cells' in record) words.push(record.cells.filter(Boolean).join(' '));
    count += group.length;
    if (count > MOST_PREAMBLE) break;
  }
  const profile = await findProfile(workbook.head(), allowedProfiles(choice, words.join('\n')));
  if (profile === undefined) throw new UnreadableStatement(noHeaderReason(choice));
  return opened('xlsx', profile, workbook.records(profile.decimal));
}

function opened(
  format: OpenedStatement['format'],
  profile: ColumnProfile,
  records: AsyncIterable<readonly CsvItem[]>,
): OpenedStatement {
  const { name, isUnverified } = profile;
  return { format, profile: name, isUnverified, listing: 'everything', items: readTables(records, profile) };
}

/** The profile that fits the first header; a sheet without a header is passed. */
async function findProfile(
  records: AsyncIterable<readonly CsvItem[]>,
  allowed: readonly ColumnProfile[],
): Promise<ColumnProfile | undefined> {
  let count = 0;
  for await (const group of records)
    for (const record of group) {
      if ('newTable' in record) count = 0;
      if (!('cells' in record) || ++count > MOST_PREAMBLE) continue;
      const profile = allowed.find((each) => findColumns(each, record.cells) !== undefined);
      if (profile !== undefined) return profile;
    }
  return undefined;
}

function allowedProfiles(
  { profiles, wanted, preferred }: ProfileChoice,
  head: string,
): readonly ColumnProfile[] {
  if (wanted === null) {
    const last = profiles.filter(({ name }) => name === preferred);
    return [...last, ...profiles.filter((each) => each.name !== preferred && isMentionedIn(each, head))];
  }
  const profile = profiles.find(({ name }) => name === wanted);
  if (profile !== undefined) return [profile];
  const names = profiles.map(({ name }) => name).join(', ');
  throw new UnreadableStatement(`There is no profile ${wanted}. Known: ${names}.`);
}

function noHeaderReason({ profiles, wanted }: ProfileChoice): string {
  if (wanted !== null)
    return `The file has no header with the columns of the profile ${wanted}. See them with: sliproad statements profiles`;
  const names = profiles.map(({ name }) => name).join(', ');
  return `No header of a known bank is in the file (profiles: ${names}). Add a profile for it in STATEMENT_PROFILES_FILE: see docs/operate/statements.md.`;
}
