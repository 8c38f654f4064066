// The dependencies of every step of settlement and of movements. This file also makes the ids of new records and says whether
// an asset is halted.
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
  /** The bank webhooks that wait. If this is missing, this process handles none. */
  readonly railEvents?: RailEventQueue;
  readonly directory: BankDirectory;
  /** The bank charges for payouts on rails that do not report their charges. */
  readonly bankCharges: BankCharges;
  readonly screening: Screening;
  /** Throws an error while the catalogue may differ from the database. Then the service moves no money. */
  readonly catalogue: () => CatalogueSnapshot;
  /** True if money may move. False while movements are paused, or while the process does not know whether they are paused. */
  readonly moving: () => boolean;
  readonly policies: Policies;
  readonly leaseMs: number;
  readonly holder: string;
  readonly turns: WalletLocks;
  /**
   * True if outgoing movements of an asset wait because a guard of this asset cannot complete. If the function is missing, no
   * guard runs.
   */
  readonly isUnwatched?: (mode: Mode, asset: string) => boolean;
  /** Compares the outflows of a treasury with the signed payments, before the service signs more payments. */
  readonly guard: Pick<TreasuryGuard, 'check' | 'mayEnd' | 'stopLanded'>;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
}

export type PickDeps<Names extends keyof SettlementDeps> = Pick<SettlementDeps, Names>;

export function newId({ clock, entropy }: PickDeps<'clock' | 'entropy'>, prefix: IdPrefix): string {
  return makeId(prefix, clock.now(), entropy.bytes(ID_RANDOM_BYTES));
}

/**
 * If the books of this mode and asset do not add up, the service sends nothing until two people lift the halt. Outgoing
 * movements also wait while the guard that would notice this cannot complete. That second wait ends automatically.
 */
export function isAssetHalted(
  deps: PickDeps<'catalogue' | 'isUnwatched'>,
  { mode, asset }: { readonly mode: Mode; readonly asset: string },
): boolean {
  return deps.catalogue().halts.has(`${mode} ${asset}`) || deps.isUnwatched?.(mode, asset) === true;
}
