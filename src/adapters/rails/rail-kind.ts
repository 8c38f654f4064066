// Defines what a kind of bank rail must provide, and which parts of the process it may use. registry.ts lists the kinds.
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

export interface BanksFileRail {
  readonly mode: Mode;
  /** The name of a rail never changes, because it is stored with every payout. */
  readonly name: string;
  readonly account: RailAccount;
}

export interface RailDeps {
  readonly directory: BankDirectory;
  readonly clock: Clock;
}

export interface RailKind {
  readonly modes: readonly Mode[];
  /**
   * Reads the options of one rail and returns a function that opens the rail. If the options are wrong, this returns undefined
   * and adds the mistakes to `at`. Neither reading nor opening calls the bank, because a bank that does not respond must not
   * stop the start of the service.
   */
  read(
    options: unknown,
    source: SecretSource,
    at: SettingsProblems,
  ): ((row: BanksFileRail, deps: RailDeps) => Rail) | undefined;
}

export type RailKinds = ReadonlyMap<string, RailKind>;

export interface OpenableRail extends BanksFileRail {
  readonly kind: string;
  /** Whether this is a local bank of `npm run banks`, which moves no money. */
  readonly isLocal: boolean;
  open(deps: RailDeps): Rail;
}

interface RailKindDefinition<Fields extends Record<string, TSchema>, Names extends SecretNames, Settings> {
  readonly modes: readonly Mode[];
  readonly options: Fields;
  /** The names of the rail's secrets. Each secret adds two options: NAME_file and NAME_env. */
  readonly secrets: Names;
  /** Reads the settings of a rail and reports mistakes that the schema cannot express. */
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
      // If the file contains a secret itself, the file is refused with a separate message.
      const rest = fields.filter(([name]) => !Object.hasOwn(kind.secrets, name));
      const options = readBySchema(schema, isObject(given) ? Object.fromEntries(rest) : given, at);
      if (options === undefined) return undefined;
      const settings = kind.read(options as Options<Fields>, secrets, at);
      return (row, deps) => kind.open(row, settings, deps);
    },
  };
}
