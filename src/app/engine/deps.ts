// The dependencies of every step of settlement and of movements, how new records get their ids, and whether an asset is halted.
import type { BankCharges } from '../../domain/catalogue/bank-charges.ts';
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import type { Policies } from '../../domain/settlement/policy.ts';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { CatalogueSnapshot } from '../../ports/catalogue.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { Networks } from '../../ports/networks/network.ts';
import type { RailRegistry } from '../../ports/rails/rail.ts';
import type { RailEventQueue } from '../../ports/rails/rail-event-store.ts';
import type { Screening } from '../../ports/screening.ts';
import type { Store } from '../../ports/store/store.ts';
import type { TreasuryGuard } from '../treasury/guard-treasury.ts';
import type { WalletLocks } from './wallet-locks.ts';

export interface SettlementDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly networks: Networks;
  readonly banks: RailRegistry;
  /** Events of rails; if missing, this process handles none. */
  readonly railEvents?: RailEventQueue;
  readonly directory: BankDirectory;
  /** The bank charges, for rails that do not report them. */
  readonly bankCharges: BankCharges;
  readonly screening: Screening;
  /** Throws while the catalogue may differ from the database; then no money moves. */
  readonly catalogue: () => CatalogueSnapshot;
  /** Whether money may move; false while movements are paused, or while that is unknown. */
  readonly moving: () => boolean;
  readonly policies: Policies;
  /** The lease of a worker on a record. */
  readonly leaseMs: number;
  /** The id of this process, as holder of feeds and turns. */
  readonly holder: string;
  readonly turns: WalletLocks;
  /** Whether outgoing movements of an asset wait because a guard of this asset does not complete. Missing: no guard runs. */
  readonly isUnwatched?: (mode: Mode, asset: string) => boolean;
  /** Compares the outflows of a treasury with the signed payments before anything more is signed. */
  readonly guard: Pick<TreasuryGuard, 'check' | 'mayEnd' | 'stopLanded'>;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
}

/** The parts of the dependencies that a function needs. */
export type PickDeps<Names extends keyof SettlementDeps> = Pick<SettlementDeps, Names>;

export function newId({ clock, entropy }: PickDeps<'clock' | 'entropy'>, prefix: IdPrefix): string {
  return makeId(prefix, clock.now(), entropy.bytes(ID_RANDOM_BYTES));
}

/**
 * If drift was found in the books of this mode and asset, nothing is sent until an operator lifts the halt. Outgoing movements
 * also wait while the guard that would find such drift does not complete; that wait ends automatically.
 */
export function isAssetHalted(
  deps: PickDeps<'catalogue' | 'isUnwatched'>,
  { mode, asset }: { readonly mode: Mode; readonly asset: string },
): boolean {
  return deps.catalogue().halts.has(`${mode} ${asset}`) || deps.isUnwatched?.(mode, asset) === true;
}
