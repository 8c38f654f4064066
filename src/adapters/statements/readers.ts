// Detects the format of a statement file by its content, never by its name, and chooses the reader.
import {
  type OpenedStatement,
  type ProfileSummary,
  type StatementReaders,
  UnreadableStatement,
} from '../../ports/statements.ts';
import { openCamt } from './camt/reader.ts';
import { type ColumnProfile, readColumnProfiles } from './csv/column-profile.ts';
import { openCsv, openHtml, openXlsx, type ProfileChoice } from './csv/reader.ts';
import { openMt940 } from './mt940/reader.ts';
import { openOfx } from './ofx/reader.ts';
import { decodeHead, type PeekedStream, peekStream } from './text/text-stream.ts';

/**
 * Reads files in the calling thread; the service uses `makeThreadedReaders`. `profilesFile`: the operator's file. Throws a
 * SettingsError if the file has mistakes.
 */
export function makeStatementReaders(profilesFile: string | null): StatementReaders {
  const profiles = readColumnProfiles(profilesFile);
  return {
    open: async (bytes, wanted, preferred = null) => ({
      ...(await openStatementFile(bytes, { profiles, wanted, preferred })),
      close: async () => undefined,
    }),
    profiles: () => summariseProfiles(profiles),
  };
}

export function summariseProfiles(profiles: readonly ColumnProfile[]): readonly ProfileSummary[] {
  return profiles.map(({ name, title, source, isUnverified, columns, isOwn }) => ({
    ...{ name, title, source, isUnverified, columns, isOwn },
  }));
}

export async function openStatementFile(
  bytes: AsyncIterable<Uint8Array>,
  choice: ProfileChoice,
): Promise<OpenedStatement> {
  return openByFormat(await peekStream(bytes), choice);
}

async function openByFormat(peeked: PeekedStream, choice: ProfileChoice): Promise<OpenedStatement> {
  const { wanted } = choice;
  if (isZip(peeked.head)) return openXlsx(peeked, choice);
  refuseBinary(peeked.head);
  const text = decodeHead(peeked.head)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text === '') throw new UnreadableStatement('The file is empty.');
  const opened = openPlainFormat(peeked, text);
  if (opened !== null) {
    if (wanted !== null && wanted !== opened.profile)
      throw new UnreadableStatement(
        `The file is ${opened.format}: column profiles are for CSV and tables. Import it without --profile.`,
      );
    return opened;
  }
  if (text.startsWith('<')) return openMarkup(peeked, text, choice);
  return openCsv(peeked, choice);
}

function openPlainFormat(peeked: PeekedStream, text: string): OpenedStatement | null {
  if (/^OFXHEADER\s*:/i.test(text) || /^(?:<\?[^>]*>\s*)*<OFX>/i.test(text)) return openOfx(peeked);
  if (/^\{1:|^:20:|^:(?:25|28C):/m.test(text.slice(0, 1_000)) && /^:(?:20|25|60[FM]):/m.test(text))
    return openMt940(peeked);
  if (!text.startsWith('<')) return null;
  const camt = /urn:iso:std:iso:20022:tech:xsd:camt\.(05\d)\.001\.(\d{2})/.exec(text);
  const kind =
    camt?.[1] ??
    (/<(?:\w+:)?BkToCstmrStmt[\s>]/.test(text)
      ? '053'
      : /<(?:\w+:)?BkToCstmrDbtCdtNtfctn[\s>]/.test(text)
        ? '054'
        : null);
  if (kind === '053' || kind === '054') return openCamt(peeked, `camt.${kind}`);
  if (kind !== null)
    throw new UnreadableStatement(
      `The file is camt.${kind}. Import camt.053 (statement) or camt.054 (notice of entries).`,
    );
  return null;
}

async function openMarkup(
  peeked: PeekedStream,
  text: string,
  choice: ProfileChoice,
): Promise<OpenedStatement> {
  if (/<(?:html|table|tr|td|body|meta|style)\b/i.test(text)) return openHtml(peeked, choice);
  throw new UnreadableStatement(
    'The file is XML of a kind that is not known. Import camt.053, camt.054 or OFX, or save the sheet as CSV.',
  );
}

const BINARY: readonly (readonly [start: readonly number[], what: string])[] = [
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'an old Excel workbook (.xls), or one with a password. Open it and save it as .xlsx without a password, or as CSV.',
  ],
  [[0x50, 0x4b, 0x05, 0x06], 'an empty ZIP archive.'],
  [[0x1f, 0x8b], 'compressed (gzip). Unpack it first.'],
  [[0x42, 0x5a, 0x68], 'compressed (bzip2). Unpack it first.'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7-Zip archive. Unpack it first.'],
  [
    [0x25, 0x50, 0x44, 0x46],
    'a PDF. Ask the bank for CSV, Excel, MT940, camt.053 or OFX: a PDF stores places on a page and not rows, so an amount could be read from the wrong column.',
  ],
];

function isZip(head: Uint8Array): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, at) => head[at] === byte);
}

function refuseBinary(head: Uint8Array): void {
  const found = BINARY.find(([start]) => start.every((byte, at) => head[at] === byte));
  if (found !== undefined) throw new UnreadableStatement(`The file is ${found[1]}`);
}
