// What every step of settlement needs, and the rules they share: how work is leased, how long is waited before the
// next try, and how new records get their ids.
import type { BankCharges } from '../../domain/catalogue/bank-charges.ts';
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import { callLeaseMs } from '../../domain/rails/terms.ts';
import type { Policies } from '../../domain/settlement/policy.ts';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../../domain/values/ids.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import type { Banks } from '../../ports/bank/rail.ts';
import type { CatalogueSnapshot } from '../../ports/catalogue.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { Networks } from '../../ports/network/network.ts';
import type { EventQueue } from '../../ports/rails/event-queue.ts';
import type { Screening } from '../../ports/screening.ts';
import type { LeaseRequest } from '../../ports/store/queues.ts';
import type { Store } from '../../ports/store/store.ts';
import type { TreasuryGuard } from '../treasury/guard-treasury.ts';
import type { Turns } from './turns.ts';

export interface SettlementDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly networks: Networks;
  readonly banks: Banks;
  /** Events of rails; missing: this process works on none. */
  readonly railEvents?: EventQueue;
  readonly directory: BankDirectory;
  /** What a transfer costs where its rail does not say. */
  readonly bankCharges: BankCharges;
  readonly screening: Screening;
  /** Throws while it is not known to be what the database holds: then nothing moves. */
  readonly catalogue: () => CatalogueSnapshot;
  /** False while money movements are paused, and while it is not known whether they are. */
  readonly moving: () => boolean;
  readonly policies: Policies;
  /** How long a worker that leased a record has it to itself. */
  readonly leaseMs: number;
  /** This process, as holder of feeds and turns. */
  readonly holder: string;
  readonly turns: Turns;
  /** Whether what leaves of an asset waits, because a guard of it does not complete. Missing: no guard runs beside it. */
  readonly isUnwatched?: (mode: Mode, asset: string) => boolean;
  /** Compares what left a treasury with what was signed, before anything more is. */
  readonly guard: Pick<TreasuryGuard, 'check' | 'mayEnd' | 'stopLanded'>;
  readonly onTrouble: (message: string, detail: Readonly<Record<string, unknown>>) => void;
}

export function newId(
  { clock, entropy }: Pick<SettlementDeps, 'clock' | 'entropy'>,
  prefix: IdPrefix,
): string {
  return makeId(prefix, clock.now(), entropy.bytes(ID_RANDOM_BYTES));
}

export function leaseOf({ clock, leaseMs }: SettlementDeps, limit: number): LeaseRequest {
  return { atMs: clock.now(), leaseMs, limit };
}

/** For work that waits for the answer of one rail, whichever it is: longer than any of them takes. */
export function bankLeaseMs({ banks, leaseMs }: Pick<SettlementDeps, 'banks' | 'leaseMs'>): number {
  const rails = MODES.flatMap((mode) => banks.enabled(mode)).filter(({ payouts }) => payouts !== null);
  return Math.max(leaseMs, ...rails.map(({ terms }) => callLeaseMs(terms)));
}

/** Beside the calls that a lease covers: the database stores what came of them. */
const NETWORK_MARGIN_MS = 5_000;

/** For work on sends, whichever network it is: longer than a question and a broadcast take on any of them. */
export function networkLeaseMs({ networks, leaseMs }: Pick<SettlementDeps, 'networks' | 'leaseMs'>): number {
  const answers = MODES.flatMap((mode) => networks.enabled(mode)).flatMap(
    ({ answersWithinMs }) => answersWithinMs ?? [],
  );
  return Math.max(leaseMs, ...answers.map((withinMs) => 2 * withinMs + NETWORK_MARGIN_MS));
}

/** Whether a call that takes so long ends before a lease does. One that does not is not begun. */
export function hasTimeFor({ clock }: Pick<SettlementDeps, 'clock'>, untilMs: number, callMs = 0): boolean {
  return untilMs - clock.now() > callMs;
}

/**
 * A step for each, apart from the others: one that goes wrong must not hold them up. `rethrow` throws its error once the rest
 * was worked on; its own turn comes again when its lease ends.
 */
export async function apart<Item, Outcome>(
  items: readonly Item[],
  step: (item: Item, index: number) => Promise<Outcome>,
): Promise<{
  readonly done: readonly { readonly item: Item; readonly outcome: Outcome }[];
  readonly rethrow: () => void;
}> {
  const ends = await Promise.allSettled(items.map(async (item, index) => step(item, index)));
  const done = ends.flatMap((end, index) =>
    end.status === 'fulfilled' ? [{ item: items[index]!, outcome: end.value }] : [],
  );
  const failure = ends.find((end) => end.status === 'rejected');
  return {
    done,
    rethrow: () => {
      if (failure !== undefined) throw failure.reason;
    },
  };
}

const LONGEST_MS = 5 * 60_000;

/** Twice as long after every try, up to five minutes, and spread so that what failed together does not return together. */
export function backOffMs(
  { entropy }: Pick<SettlementDeps, 'entropy'>,
  tries: number,
  firstMs: number,
): number {
  const doubled = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(Math.max(tries - 1, 0), 20));
  const [chance] = entropy.bytes(1);
  return Math.round((doubled * (192 + (chance ?? 0) / 2)) / 256);
}

/**
 * Drift was found in the books of this mode and asset: nothing of it leaves until an operator lifts it. Nor does it while a guard does
 * not complete, which would find such a drift: that ends by itself.
 */
export function isHalted(
  deps: Pick<SettlementDeps, 'catalogue' | 'isUnwatched'>,
  { mode, asset }: { readonly mode: Mode; readonly asset: string },
): boolean {
  return deps.catalogue().halts.has(`${mode} ${asset}`) || deps.isUnwatched?.(mode, asset) === true;
}
