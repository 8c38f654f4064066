// Reads BANKS_FILE, which lists the bank rails of this installation in order of preference. All mistakes are reported at once,
// each with its path.
import path from 'node:path';
import { Type } from 'typebox';
import type { BankDirectory } from '../../../domain/catalogue/banks.ts';
import { MODES } from '../../../domain/values/mode.ts';
import { fieldOf } from '../../json.ts';
import { type SettingsProblems, suggestKnown } from '../../settings-problems.ts';
import {
  ANY_TEXT,
  enumSchema,
  isOnThisMachine,
  listOf,
  nullableSchema,
  objectSchema,
  parseSettings,
  parseUrl,
  readBySchema,
  readTextFile,
  textSchema,
  type Variables,
  withRule,
} from '../../settings-reader.ts';
import type { OpenableRail, RailKinds } from '../rail-kind.ts';

const MOST_RAILS = 20;
/**
 * The names of the bank in test mode and of the imported statements. Both always exist, so no rail in the file may use these
 * names.
 */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['simulated', 'statements']);
const NAME = withRule(
  textSchema(
    /^[a-z][a-z0-9-]{0,39}$/,
    'a name of up to 40 small letters, digits and hyphens, beginning with a letter',
  ),
  (name) => !RESERVED_NAMES.has(name),
  (name) => `must not be "${name}": that name is reserved for the service`,
);
const NUMBER = textSchema(/^\d{10}$/, 'an account number of 10 digits, in quotes');
/** The control URL of local banks must be on this machine. */
const CONTROL_URL_RULE = 'a URL on this machine: only local banks (npm run banks) have one';
const FILE = objectSchema({
  control: nullableSchema(
    withRule(Type.String({ description: CONTROL_URL_RULE }), (url) => isOnThisMachine(parseUrl(url))),
    CONTROL_URL_RULE,
    null,
  ),
  rails: Type.Array(Type.Unknown(), {
    maxItems: MOST_RAILS,
    description: `a list of at most ${MOST_RAILS} rails`,
  }),
});

export interface BanksFileSource {
  readonly location: string;
  readonly variables: Variables;
  readonly kinds: RailKinds;
  readonly directory: BankDirectory;
}

export const titleOfBanksFile = (location: string): string => `The banks file ${location}`;

/** Reads the file without any call to a bank. Throws a SettingsError. */
export function readBanksFile(source: BanksFileSource): readonly OpenableRail[] {
  const file = titleOfBanksFile(source.location);
  return parseSettings(file, readTextFile(file, source.location), (json, at) => railsIn(json, source, at));
}

function railsIn(json: unknown, source: BanksFileSource, at: SettingsProblems): readonly OpenableRail[] {
  const file = readBySchema(FILE, json, at);
  const isLocal = file !== undefined && file.control !== null;
  const row = rowSchema(source);
  const names = new Set<string>();
  return listOf(json, 'rails').flatMap((value, index) => {
    const place = at.at('rails', index);
    const name = `${fieldOf(value, 'mode')} ${fieldOf(value, 'name')}`;
    if (names.has(name))
      place.at('name').add('is already the name of an earlier rail: each needs a name of its own');
    names.add(name);
    const settings = railIn(value, row, source, place);
    return settings === undefined ? [] : [{ ...settings, isLocal }];
  });
}

function rowSchema({ kinds, directory }: BanksFileSource) {
  const codes = directory.all.map(({ code }) => code);
  const bankCode = withRule(
    ANY_TEXT,
    (code) => findBank(code, directory) !== undefined,
    (code) =>
      `is not the code of a bank in the directory.${suggestKnown(code, codes)} bin/sliproad banks search TEXT shows codes`,
  );
  return objectSchema({
    mode: enumSchema(MODES),
    kind: enumSchema([...kinds.keys()]),
    name: NAME,
    /** The bank account from which the rail pays. It is one account of the ledger. */
    account: objectSchema({ bank_code: bankCode, number: NUMBER }),
    options: Type.Unknown({ default: {} }),
  });
}

/**
 * Also finds banks by five-digit codes. The bank directory does not accept these codes, because other lists use them for other
 * banks.
 */
function findBank(text: string, directory: BankDirectory) {
  return directory.resolve(text) ?? directory.all.find(({ cbnCode }) => cbnCode === text);
}

function railIn(
  value: unknown,
  schema: ReturnType<typeof rowSchema>,
  { kinds, location, variables, directory }: BanksFileSource,
  at: SettingsProblems,
): Omit<OpenableRail, 'isLocal'> | undefined {
  const row = readBySchema(schema, value, at);
  const kind = kinds.get(`${fieldOf(value, 'kind')}`);
  const source = { folder: path.dirname(location), variables };
  const open = kind?.read(fieldOf(value, 'options') ?? {}, source, at.at('options'));
  if (row === undefined || kind === undefined || open === undefined) return undefined;
  const { mode, name } = row;
  if (!kind.modes.includes(mode))
    at.at('kind').add(`is not for ${mode} mode; use it in: ${kind.modes.join(', ')}`);
  const account = {
    bankCode: findBank(row.account.bank_code, directory)!.code,
    number: row.account.number,
  };
  return { mode, name, account, kind: row.kind, open: (deps) => open({ mode, name, account }, deps) };
}
