// What a kind of bank rail brings to the product, and what it may use of the process. The kinds are listed in registry.ts.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Rail, RailAccount } from '../../ports/bank/rail.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OptionReader } from './settings/options.ts';

/** What BANKS_FILE says of a rail, whatever its kind. */
export interface RailRow {
  readonly mode: Mode;
  /** For ever: it is stored with every payout. */
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
   * Reads the options of one rail, and answers how it is opened. Mistakes are noted in the reader. Neither makes a call: a bank that
   * does not answer must not stop the start.
   */
  read(options: OptionReader): (row: RailRow, deps: RailDeps) => Rail;
}

export type RailKinds = ReadonlyMap<string, RailKind>;

/** One configured rail. */
export interface RailSettings extends RailRow {
  readonly kind: string;
  /** It is one of `npm run banks`, and moves no money. */
  readonly isLocal: boolean;
  open(deps: RailDeps): Rail;
}
