// How long reading waits for a transfer without a usable receipt: a number of attempts and a time, and longer while a provider
// is away. After that the transfer is given up, so that it stops nothing.
import type { EvmContext } from './context.ts';

/** How often, and for how long, all providers are asked for such a transfer; longer while one of them is away. */
const PATIENT_ROUNDS = 5;
const PATIENT_MS = 60_000;
const PATIENT_WITH_ABSENT_MS = 10 * 60_000;

/** The transfers that kept providers from reading on, and how many providers it was. */
export type MissedTransfers = Map<string, { readonly block: bigint; readonly providers: number }>;

interface ReceiptWait {
  readonly block: bigint;
  readonly sinceMs: number;
  rounds: number;
  /** Attempts in which every provider was asked. */
  wholeRounds: number;
}

/** How often reading failed because of the same transfers, and since when. */
export function makeReceiptPatience({ parts: { clock }, providers }: EvmContext) {
  const waits = new Map<string, ReceiptWait>();
  const isOver = ({ rounds, wholeRounds, sinceMs }: ReceiptWait): boolean => {
    const waitedMs = clock.now() - sinceMs;
    if (wholeRounds >= PATIENT_ROUNDS && waitedMs >= PATIENT_MS) return true;
    return rounds >= PATIENT_ROUNDS && waitedMs >= PATIENT_WITH_ABSENT_MS;
  };
  return {
    /** Transfers that are given up, until reading has to wait again: otherwise there could always be a next one. */
    failed(missed: MissedTransfers): { readonly givenUp: ReadonlySet<string>; readonly upTo: bigint | null } {
      const givenUp = new Set<string>();
      let upTo: bigint | null = null;
      for (const [key, { block, providers: count }] of missed) {
        const wait = waits.get(key) ?? { block, sinceMs: clock.now(), rounds: 0, wholeRounds: 0 };
        waits.set(key, wait);
        wait.rounds++;
        if (count >= providers.count) wait.wholeRounds++;
        if (isOver(wait)) givenUp.add(key);
        else if (upTo === null || block <= upTo) upTo = block - 1n;
      }
      return { givenUp, upTo };
    },
    passed(last: bigint): void {
      for (const [key, { block }] of waits) if (block <= last) waits.delete(key);
    },
  };
}
