// Reads column profiles, which hold the header names that each bank uses. The profiles are in a data file next to this file.
// The operator's file can add profiles and replace them.
import { type Static, Type } from 'typebox';
import type { DayOrder } from '../../../domain/statements/days.ts';
import { UnreadableStatement } from '../../../ports/statements.ts';
import { fieldOf, isObject } from '../../json.ts';
import type { SettingsProblems } from '../../settings-problems.ts';
import {
  enumSchema,
  objectSchema,
  parseSettings,
  readBySchema,
  readTextFile,
  withRule,
} from '../../settings-reader.ts';
import payerColumns from './payer-columns.json' with { type: 'json' };
import shipped from './profiles.json' with { type: 'json' };

const HEADER_NAMES = Type.Array(
  withRule(
    Type.String({ description: 'a header name with a letter or a digit' }),
    (name) => headerKey(name) !== '',
  ),
  { minItems: 1, description: 'a list of at least one header name' },
);
const MAY_LACK = Type.Optional(HEADER_NAMES);
const COLUMNS = objectSchema({
  date: HEADER_NAMES,
  valueDate: MAY_LACK,
  narration: HEADER_NAMES,
  debit: MAY_LACK,
  credit: MAY_LACK,
  amount: MAY_LACK,
  side: MAY_LACK,
  balance: MAY_LACK,
  reference: MAY_LACK,
  status: MAY_LACK,
  payerName: MAY_LACK,
  payerAccount: MAY_LACK,
  payerBank: MAY_LACK,
  sessionId: MAY_LACK,
  account: MAY_LACK,
});
const COLUMN_NAMES = Object.keys(COLUMNS.properties) as ColumnName[];
/** The profiles that fit many banks are tried after all others, in this order. */
const LAST: readonly string[] = ['generic', 'generic-wide'];
const PROFILE_NAME = /^[a-z][a-z0-9-]{0,30}$/;
const SHOWABLE = /^[\w-]{1,40}$/;

export type ColumnName = keyof Static<typeof COLUMNS>;

export interface ColumnProfile {
  readonly name: string;
  readonly title: string;
  readonly columns: Readonly<Partial<Record<ColumnName, readonly string[]>>>;
  readonly optional: readonly ColumnName[];
  readonly days: DayOrder;
  readonly decimal: '.' | ',';
  /** Where the header names come from; null: the profile does not say it. */
  readonly source: string | null;
  /** The profile is chosen only for a file whose beginning contains one of these texts, or by its name; null: no text is needed. */
  readonly mentions: readonly string[] | null;
  /** The profile was never compared with a file of the bank, so two people must confirm its first import into each account. */
  readonly isUnverified: boolean;
  /** True if the profile is from the operator's file. */
  readonly isOwn: boolean;
}

/** The operator's profiles first, the profiles that fit many banks last. Throws a SettingsError. */
export function readColumnProfiles(location: string | null): readonly ColumnProfile[] {
  const ours = parseColumnProfiles('profiles.json', JSON.stringify(shipped), false).map(addPayerColumns);
  if (location === null) return ours;
  const file = `The file of STATEMENT_PROFILES_FILE, ${location}`;
  const own = parseColumnProfiles(file, readTextFile(file, location), true);
  const rest = ours.filter(({ name }) => !own.some((each) => each.name === name));
  const last = (profile: ColumnProfile) => LAST.indexOf(profile.name);
  return [...own, ...rest].toSorted((a, b) => last(a) - last(b));
}

/** Every shipped profile reads what banks write about the payer, under any of the common header names. */
function addPayerColumns(profile: ColumnProfile): ColumnProfile {
  const optional = (Object.keys(payerColumns) as ColumnName[]).filter(
    (name) => profile.columns[name] === undefined,
  );
  return {
    ...profile,
    columns: { ...payerColumns, ...profile.columns },
    optional: [...profile.optional, ...optional],
  };
}

/** Throws a SettingsError. Each message begins with `file`. */
export function parseColumnProfiles(file: string, text: string, isOwn: boolean): readonly ColumnProfile[] {
  return parseSettings(file, text, (json, at) => {
    if (!isObject(json)) {
      at.add('must be an object { … } with one entry for each profile');
      return undefined;
    }
    return Object.entries(json).flatMap(([name, value], index) => {
      const place = at.at(SHOWABLE.test(name) ? name : index);
      if (!PROFILE_NAME.test(name))
        place.add('must have a name of up to 31 small letters, digits and dashes, beginning with a letter');
      const settings = settingsIn(value, place);
      if (settings === undefined) return [];
      const { unverified: isUnverified, source = null, mentions = null, ...rest } = settings;
      return [{ title: name, ...rest, source, mentions, isUnverified, name, isOwn }];
    });
  });
}

function settingsIn(value: unknown, at: SettingsProblems) {
  const given = fieldOf(value, 'columns');
  const columns = given === undefined ? {} : given;
  const has = (name: ColumnName) => fieldOf(columns, name) !== undefined;
  const named = COLUMN_NAMES.filter(has);
  const schema = objectSchema({
    title: Type.Optional(Type.String({ description: 'a text' })),
    columns: COLUMNS,
    optional: Type.Array(enumSchema(named.length === 0 ? COLUMN_NAMES : named), {
      description: 'a list of columns of this profile',
      default: [],
    }),
    days: enumSchema(['dmy', 'mdy'], 'dmy'),
    decimal: enumSchema(['.', ','], '.'),
    source: Type.Optional(Type.String({ description: 'a text' })),
    mentions: Type.Optional(HEADER_NAMES),
    unverified: Type.Boolean({ description: 'true or false', default: false }),
  });
  const settings = readBySchema(schema, value, at);
  if (isObject(value) && isObject(columns) && !has('amount') && !(has('debit') && has('credit')))
    at.at('columns').add('needs "debit" and "credit", or "amount"');
  return settings;
}

/** Returns the text in which headers are compared. `Debit (NGN)` and `DEBIT` have the same key. */
function headerKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=.)ngn$/, '');
}

/** `sides` has every column that may contain "debit" or "credit", because a file may have several such columns. */
export type ColumnMap = Readonly<Partial<Record<ColumnName, number>>> & { readonly sides: readonly number[] };

/** `head`: the beginning of the file. */
export function isMentionedIn({ mentions }: ColumnProfile, head: string): boolean {
  if (mentions === null) return true;
  const text = headerKey(head.slice(0, 4_000));
  return mentions.some((each) => text.includes(headerKey(each)));
}

/** Returns the positions of a profile's columns, or undefined if these cells are not the header of the profile. */
export function findColumns(profile: ColumnProfile, cells: readonly string[]): ColumnMap | undefined {
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
  refuseTwinColumns(cells, keys, map);
  const hasAmount = map.amount !== undefined || (map.debit !== undefined && map.credit !== undefined);
  if (!hasAmount) return undefined;
  const names = new Set((profile.columns.side ?? []).map(headerKey));
  return { ...map, sides: keys.flatMap((key, index) => (names.has(key) ? [index] : [])) };
}

/** Two columns with the same name may have different values, so neither is used. */
function refuseTwinColumns(
  cells: readonly string[],
  keys: readonly string[],
  map: Readonly<Partial<Record<ColumnName, number>>>,
): void {
  for (const index of Object.values(map)) {
    if (keys.lastIndexOf(keys[index]!) === index) continue;
    throw new UnreadableStatement(
      `The header has the column "${cells[index]!.trim().slice(0, 40)}" twice, so it is not certain which one counts. Remove or rename one of them.`,
    );
  }
}
