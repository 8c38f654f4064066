// Reads the text of a screening list. Each line is `kind,value,reason`; values with a comma are quoted; comments start with `#`.
// An invalid line is an error with its line number, because a skipped entry would protect nothing.
import { isAccountNumber } from '../../domain/catalogue/banks.ts';
import { normaliseName } from '../../domain/matching/name-match.ts';
import { SCREENED_KINDS, type ScreenedKind } from '../../ports/screening.ts';

export class ScreeningListError extends Error {
  override readonly name = 'ScreeningListError';
}

export interface ListEntry {
  readonly kind: ScreenedKind;
  readonly value: string;
  readonly reason: string;
}

const COLUMNS = 'kind,value,reason';
/**
 * Matches a quoted field, with "" for a quote inside it, or an unquoted field. After the field comes a comma or the end of the
 * line.
 */
const FIELD = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y;

export function readListLines(text: string): ListEntry[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.flatMap((line, index) => {
    if (line.trim() === '' || line.trimStart().startsWith('#')) return [];
    const read = readLine(line);
    if (typeof read !== 'string') return [read];
    throw new ScreeningListError(`SCREENING_LIST, line ${index + 1}: ${read}.`);
  });
}

function readLine(line: string): ListEntry | string {
  const fields = splitFields(line.trim());
  if (fields === undefined) return 'a quotation mark is not closed, or is inside a field';
  const [kindText, value, reason] = fields;
  if (fields.length !== 3) return `it must have the three columns ${COLUMNS}`;
  const kind = SCREENED_KINDS.find((each) => each === kindText);
  if (kind === undefined) return `kind must be one of ${SCREENED_KINDS.join(', ')}`;
  if (comparablePartsIn(kind, value!) === undefined) return PROBLEMS[kind];
  if (reason === '') return 'a reason is missing';
  return { kind, value: value!, reason: reason! };
}

function splitFields(line: string): string[] | undefined {
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  for (;;) {
    const match = FIELD.exec(line);
    if (match === null) return undefined;
    const [, quoted, bare = '', end] = match;
    fields.push((quoted?.replaceAll('""', '"') ?? bare).trim());
    if (end === '') return fields;
  }
}

const PROBLEMS: Readonly<Record<ScreenedKind, string>> = {
  name: 'the name has no words to compare; titles do not count',
  account: 'an account number has 10 digits; a spreadsheet may have dropped leading zeros',
  wallet: 'a wallet is one word',
};

/**
 * Returns the parts that are compared: the words of a name, the digits of an account, a hexadecimal wallet without regard to
 * case, another wallet exactly. Returns undefined if the value has no such part, because the entry would match every subject or
 * none.
 */
function comparablePartsIn(kind: ScreenedKind, value: string): readonly string[] | undefined {
  const parts = comparedParts(kind, value);
  if (kind === 'account' && !isAccountNumber(parts[0]!)) return undefined;
  return parts.length === 0 || parts.some((part) => part === '' || /\s/.test(part)) ? undefined : parts;
}

export function comparedParts(kind: ScreenedKind, value: string): readonly string[] {
  if (kind === 'name') return normaliseName(value);
  if (kind === 'account') return [value.replace(/\D/g, '')];
  const wallet = value.trim();
  return [/^0x/i.test(wallet) ? wallet.toLowerCase() : wallet];
}
