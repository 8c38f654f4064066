// Column profiles: which header names a bank uses. They are data, shipped beside this file; a file of the operator adds profiles and
// replaces shipped ones.
import { readFileSync } from 'node:fs';
import type { DayOrder } from '../../../domain/statements/days.ts';
import shipped from './profiles.json' with { type: 'json' };

const COLUMNS = [
  ...[
    'date',
    'valueDate',
    'narration',
    'debit',
    'credit',
    'amount',
    'side',
    'balance',
    'reference',
    'status',
  ],
] as const;
export type ColumnName =
  | 'date'
  | 'valueDate'
  | 'narration'
  | 'debit'
  | 'credit'
  | 'amount'
  | 'side'
  | 'balance'
  | 'reference'
  | 'status';

export interface Profile {
  readonly name: string;
  readonly title: string;
  readonly columns: Readonly<Partial<Record<ColumnName, readonly string[]>>>;
  /** Columns that a header may lack. */
  readonly optional: readonly ColumnName[];
  readonly days: DayOrder;
  readonly decimal: '.' | ',';
  /** From the operator's file. */
  readonly isOwn: boolean;
}

/** The message is for the operator and names the file. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

/** Those of the operator first; the generic one last. */
export function readProfiles(file: string | null): readonly Profile[] {
  const ours = parseProfiles(shipped, false, 'profiles.json');
  if (file === null) return ours;
  const own = parseProfiles(jsonIn(file), true, file);
  const rest = ours.filter(({ name }) => !own.some((each) => each.name === name));
  const all = [...own, ...rest];
  return [...all.filter(({ name }) => name !== 'generic'), ...all.filter(({ name }) => name === 'generic')];
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ProfileError(`STATEMENT_PROFILES_FILE ${file} cannot be read: ${(error as Error).message}`);
  }
}

export function parseProfiles(json: unknown, isOwn: boolean, file: string): readonly Profile[] {
  const problems: string[] = [];
  if (!isObject(json))
    throw new ProfileError(`${file}: it must be an object with one entry for each profile.`);
  const profiles = Object.entries(json).map(([name, value]) => {
    const complain = (problem: string) => void problems.push(`profile ${name}: ${problem}`);
    if (!/^[a-z][a-z0-9-]{0,30}$/.test(name)) complain('its name must be small letters, digits and dashes.');
    return profileOf(name, value, isOwn, complain);
  });
  if (problems.length > 0) throw new ProfileError(`${file} has mistakes:\n${problems.join('\n')}`);
  return profiles;
}

const KEYS = ['title', 'columns', 'optional', 'days', 'decimal'];

function profileOf(
  name: string,
  value: unknown,
  isOwn: boolean,
  complain: (problem: string) => void,
): Profile {
  const given = isObject(value) ? value : {};
  if (!isObject(value)) complain('it must be an object.');
  for (const key of Object.keys(given))
    if (!KEYS.includes(key)) complain(`"${key}" is not known; there are ${KEYS.join(', ')}.`);
  const columns = columnsOf(given.columns, complain);
  const optional = given.optional ?? [];
  if (!Array.isArray(optional) || !optional.every((each) => columns[each as ColumnName] !== undefined))
    complain('"optional" must be a list of columns of this profile.');
  if (given.days !== undefined && given.days !== 'dmy' && given.days !== 'mdy')
    complain('"days" must be dmy or mdy.');
  if (given.decimal !== undefined && given.decimal !== '.' && given.decimal !== ',')
    complain('"decimal" must be . or ,.');
  return {
    ...{ name, title: typeof given.title === 'string' ? given.title : name, isOwn },
    columns,
    optional: Array.isArray(optional) ? (optional as ColumnName[]) : [],
    days: given.days === 'mdy' ? 'mdy' : 'dmy',
    decimal: given.decimal === ',' ? ',' : '.',
  };
}

function columnsOf(given: unknown, complain: (problem: string) => void): Profile['columns'] {
  const columns = isObject(given) ? given : {};
  if (!isObject(given)) complain('"columns" must be an object.');
  for (const [column, names] of Object.entries(columns)) {
    if (!(COLUMNS as readonly string[]).includes(column))
      complain(`the column "${column}" is not known; there are ${COLUMNS.join(', ')}.`);
    if (!Array.isArray(names) || names.length === 0 || !names.every(isHeaderName))
      complain(`"${column}" must be a list of header names.`);
  }
  for (const needed of ['date', 'narration'])
    if (columns[needed] === undefined) complain(`it needs the column "${needed}".`);
  if (columns.amount === undefined && (columns.debit === undefined || columns.credit === undefined))
    complain('it needs the columns "debit" and "credit", or "amount".');
  return columns as Profile['columns'];
}

function isHeaderName(value: unknown): boolean {
  return typeof value === 'string' && headerKey(value) !== '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `Debit (NGN)` and `DEBIT` are one name. */
function headerKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=.)ngn$/, '');
}

/** `sides`: every column that may say debit or credit, because a file may have several such names. */
export type ColumnMap = Readonly<Partial<Record<ColumnName, number>>> & { readonly sides: readonly number[] };

/** Where the columns of a profile stand; undefined: these cells are not its header. */
export function matchHeader(profile: Profile, cells: readonly string[]): ColumnMap | undefined {
  const keys = cells.map(headerKey);
  const map: Partial<Record<ColumnName, number>> = {};
  for (const [column, names] of Object.entries(profile.columns) as [ColumnName, readonly string[]][]) {
    const index = keys.findIndex((key) => key !== '' && names.some((name) => headerKey(name) === key));
    if (index === -1) {
      if (profile.optional.includes(column)) continue;
      return undefined;
    }
    map[column] = index;
  }
  const hasAmount = map.amount !== undefined || (map.debit !== undefined && map.credit !== undefined);
  if (!hasAmount) return undefined;
  const names = new Set((profile.columns.side ?? []).map(headerKey));
  return { ...map, sides: keys.flatMap((key, index) => (names.has(key) ? [index] : [])) };
}
