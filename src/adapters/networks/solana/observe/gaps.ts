// Deposit accounts whose list of transactions is not complete. The server may list the rest later, or another one is asked;
// a gap that stays for long is reported for review, so that later deposits are not held up.
import type { SolanaChain } from '../rpc/chain.ts';

const PASSED_AFTER_MS = 10 * 60_000;

export interface Gaps {
  policy(account: string): 'wait' | 'pass';
  /** The gap that the reading of an account found; null: nothing is missing. */
  heard(account: string, gap: string | null): void;
}

export function makeGaps({ clock, onTrouble }: Pick<SolanaChain, 'clock' | 'onTrouble'>): Gaps {
  const sinceMs = new Map<string, number>();
  return {
    policy: (account) =>
      clock.now() - (sinceMs.get(account) ?? clock.now()) >= PASSED_AFTER_MS ? 'pass' : 'wait',
    heard: (account, gap) => {
      if (gap === null) sinceMs.delete(account);
      else if (!sinceMs.has(account)) {
        sinceMs.set(account, clock.now());
        onTrouble('a provider does not list all transactions of a deposit address', { account, hash: gap });
      }
    },
  };
}
