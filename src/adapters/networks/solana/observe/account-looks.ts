// Remembers how each watched account looked when its history was last read, so that the history of an unchanged account is
// not read again. Kept in memory alone: after a restart every history is read once more.
import { address } from '@solana/kit';
import type { Clock } from '../../../../ports/clock.ts';
import type { DepositAddresses } from '../../../../ports/networks/network-observer.ts';
import { messageOf, type SolanaChain } from '../rpc/chain.ts';
import type { ChainAccount, SolanaClient } from '../rpc/client.ts';
import { readTokenAccount, tokenAccountOf } from '../rpc/token-account.ts';
import type { AccountHistory } from './account-history.ts';
import type { HistoryMark } from './position.ts';

/** An account that looks unchanged is read again after this time: tokens that came and left again in between do not show. */
const BELIEVED_MS = 120_000;
/** The history does not explain the balance yet: it is read again after this time, then after twice as long, and so on. */
const UNEXPLAINED_MS = 1_000;

/** How an account looked when its history was last read, and up to which mark it was read. */
interface AccountLook {
  readonly print: string;
  readonly mark: string;
  readonly readAtMs: number;
  /** So long an account that looks unchanged is not read again. */
  readonly believedMs: number;
}

export function makeAccountLooks(clock: Clock) {
  const looks = new Map<string, AccountLook>();
  return {
    forget: (account: string) => void looks.delete(account),
    isNews: (account: string, held: ChainAccount | null, mark: HistoryMark | undefined): boolean => {
      if (held === null && mark === undefined) return false;
      const look = looks.get(account);
      if (look === undefined || mark === undefined || mark.seen.length > 0) return true;
      const old = clock.now() - look.readAtMs >= look.believedMs;
      return old || look.print !== fingerprintOf(held) || look.mark !== JSON.stringify(mark);
    },
    remember: (
      account: string,
      held: ChainAccount | null,
      before: HistoryMark | undefined,
      read: AccountHistory,
    ): void => {
      const look = looks.get(account);
      const print = fingerprintOf(held);
      // A change without a transaction in the history: the provider's history is behind its accounts, and is read again.
      const hasHistory = read.news || look?.print === print || (look === undefined && before !== undefined);
      if (!hasHistory) return;
      // The rest is read in the next look, even if the account does not change until then.
      if (read.more || read.gap !== null) {
        looks.delete(account);
        return;
      }
      const longerMs = look?.print === print ? look.believedMs * 2 : UNEXPLAINED_MS;
      const believedMs = isExplained(held, read) ? BELIEVED_MS : Math.min(longerMs, BELIEVED_MS);
      looks.set(account, { print, mark: JSON.stringify(read.mark), readAtMs: clock.now(), believedMs });
    },
  };
}

/** A transaction that cannot be fetched, or that is not listed while others are, may be a deposit. */
function isExplained(held: ChainAccount | null, { missing, heldMinor }: AccountHistory): boolean {
  const shownMinor = readTokenAccount(held)?.amountMinor ?? 0n;
  return missing === null && (heldMinor === null || heldMinor === shownMinor);
}

function fingerprintOf(held: ChainAccount | null): string {
  return held === null ? '' : `${held.lamports} ${Buffer.from(held.data).toString('base64')}`;
}

// Deposit accounts whose list of transactions is not complete. The server may list the rest later, or another one is asked;
// a gap that stays for a long time is reported for review, so that later deposits are not held up.
const PASSED_AFTER_MS = 10 * 60_000;

export interface HistoryGaps {
  policy(account: string): 'wait' | 'pass';
  /** The gap that the reading of an account found; null: nothing is missing. */
  heard(account: string, gap: string | null): void;
}

export function makeHistoryGaps({ clock, onTrouble }: Pick<SolanaChain, 'clock' | 'onTrouble'>): HistoryGaps {
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

// Deposit addresses that are too old to be watched all the time: a few of them in each turn, from the oldest on and then again
// from the start, so that a deposit that comes years later is found as well.

/** One more request in this time. */
const EVERY_MS = 30_000;

/** Returns those owners of this turn whose deposit account holds tokens. */
type OldOwnersTurn = (client: SolanaClient, watch: DepositAddresses) => Promise<readonly string[]>;

export function makeOldOwnersTurn({ mint, clock, onTrouble }: SolanaChain): OldOwnersTurn {
  let after: string | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  const turn: OldOwnersTurn = async (client, watch) => {
    if (watch.older === undefined || clock.now() - lookedAtMs < EVERY_MS) return [];
    const { addresses: owners, next } = await watch.older(after);
    const accounts = await Promise.all(owners.map((owner) => tokenAccountOf(mint, address(owner))));
    const held = await client.accounts(accounts, 'confirmed');
    after = next;
    lookedAtMs = clock.now();
    return owners.filter((_, index) => (readTokenAccount(held[index]!)?.amountMinor ?? 0n) > 0n);
  };

  // A failure here must not keep the other deposits from being counted.
  return (client, watch) =>
    turn(client, watch).catch((error: unknown) => {
      onTrouble('looking at old deposit addresses failed', { error: messageOf(error) });
      return [];
    });
}
