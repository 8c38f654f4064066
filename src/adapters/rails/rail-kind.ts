// What a kind of bank rail brings to the product, and what it may use of the process. The kinds are listed in registry.ts.
import type { TSchema } from 'typebox';
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Rail, RailAccount } from '../../ports/rails/rail.ts';
import { isObject } from '../json.ts';
import type { SettingsProblems } from '../settings-problems.ts';
import { objectSchema, readBySchema } from '../settings-reader.ts';
import type { Options } from './settings/options.ts';
import {
  readSecrets,
  type SecretNames,
  type SecretSource,
  type Secrets,
  secretFields,
} from './settings/secrets.ts';

/** What BANKS_FILE says of a rail, whatever its kind. */
export interface BanksFileRail {
  readonly mode: Mode;
  /** Forever: it is stored with every payout. */
  readonly name: string;
  readonly account: RailAccount;
}

/** What a kind may use of the process. */
export interface RailDeps {
  readonly directory: BankDirectory;
  readonly clock: Clock;
}

export interface RailKind {
  readonly modes: readonly Mode[];
  /**
   * Reads the options of one rail, and answers how it is opened; undefined where they are wrong. Mistakes are noted. Neither makes a call:
   * a bank that does not answer must not stop the start.
   */
  read(
    options: unknown,
    source: SecretSource,
    at: SettingsProblems,
  ): ((row: BanksFileRail, deps: RailDeps) => Rail) | undefined;
}

export type RailKinds = ReadonlyMap<string, RailKind>;

/** One configured rail. */
export interface OpenableRail extends BanksFileRail {
  readonly kind: string;
  /** It is one of `npm run banks`, and moves no money. */
  readonly isLocal: boolean;
  open(deps: RailDeps): Rail;
}

interface RailKindDefinition<Fields extends Record<string, TSchema>, Names extends SecretNames, Settings> {
  readonly modes: readonly Mode[];
  readonly options: Fields;
  /** For each there are two options more: NAME_file and NAME_env. */
  readonly secrets: Names;
  /** Notes what the schema of an option cannot say. */
  read(options: Options<Fields>, secrets: Secrets<Names>, at: SettingsProblems): Settings;
  open(row: BanksFileRail, settings: Settings, deps: RailDeps): Rail;
}

export function defineRailKind<
  const Fields extends Record<string, TSchema>,
  const Names extends SecretNames,
  Settings,
>(kind: RailKindDefinition<Fields, Names, Settings>): RailKind {
  const schema = objectSchema({ ...kind.options, ...secretFields(kind.secrets) });
  return {
    modes: kind.modes,
    read: (given, source, at) => {
      const fields = isObject(given) ? Object.entries(given) : [];
      const secrets = readSecrets(kind.secrets, Object.fromEntries(fields), source, at);
      // A secret in the file is refused with a sentence of its own.
      const rest = fields.filter(([name]) => !Object.hasOwn(kind.secrets, name));
      const options = readBySchema(schema, isObject(given) ? Object.fromEntries(rest) : given, at);
      if (options === undefined) return undefined;
      const settings = kind.read(options as Options<Fields>, secrets, at);
      return (row, deps) => kind.open(row, settings, deps);
    },
  };
}
