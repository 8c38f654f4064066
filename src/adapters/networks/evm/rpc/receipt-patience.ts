// Limits how long the scan waits for a transfer without a usable receipt. The limit is a number of attempts and a time, and it
// is longer while a provider is unreachable. After that the scan skips the transfer, so that it does not block later transfers.
import type { EvmContext } from './context.ts';

/**
 * The minimum number of attempts, and the minimum time, before such a transfer is skipped. The time is longer while a provider is
 * unreachable.
 */
const PATIENT_ROUNDS = 5;
const PATIENT_MS = 60_000;
const PATIENT_WITH_ABSENT_MS = 10 * 60_000;

export type MissedTransfers = Map<string, { readonly block: bigint; readonly providers: number }>;

interface ReceiptWait {
  readonly block: bigint;
  readonly sinceMs: number;
  rounds: number;
  wholeRounds: number;
}

export function makeReceiptPatience({ parts: { clock }, providers }: EvmContext) {
  const waits = new Map<string, ReceiptWait>();
  const isOver = ({ rounds, wholeRounds, sinceMs }: ReceiptWait): boolean => {
    const waitedMs = clock.now() - sinceMs;
    if (wholeRounds >= PATIENT_ROUNDS && waitedMs >= PATIENT_MS) return true;
    return rounds >= PATIENT_ROUNDS && waitedMs >= PATIENT_WITH_ABSENT_MS;
  };
  return {
    /** Returns the transfers to skip now, and the last block before a transfer for which the scan still waits. */
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
