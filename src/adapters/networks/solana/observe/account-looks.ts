// Remembers the state of each watched account when its history was last read, so that the history of an unchanged account is
// not read again. This is kept only in memory, so after a restart every history is read once.
import { address } from '@solana/kit';
import type { Clock } from '../../../../ports/clock.ts';
import type { DepositAddresses } from '../../../../ports/networks/network-observer.ts';
import { messageOf, type SolanaChain } from '../rpc/chain.ts';
import type { ChainAccount, SolanaClient } from '../rpc/client.ts';
import { readTokenAccount, tokenAccountOf } from '../rpc/token-account.ts';
import type { AccountHistory } from './account-history.ts';
import type { HistoryMark } from './position.ts';

/** After this time the history of an unchanged account is read again, because tokens may have arrived and left in between. */
const BELIEVED_MS = 120_000;
/**
 * While the history does not explain the balance, it is read again after this time. Each further wait is twice as long as the one
 * before.
 */
const UNEXPLAINED_MS = 1_000;

interface AccountLook {
  readonly print: string;
  readonly mark: string;
  readonly readAtMs: number;
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
      // The account changed, but its history shows no new transaction. The provider's history is behind its accounts and must
      // be read again.
      const hasHistory = read.news || look?.print === print || (look === undefined && before !== undefined);
      if (!hasHistory) return;
      // The next turn reads the remaining transactions, even if the account does not change until then.
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

/** Whether the history explains the balance. A transaction that cannot be fetched or is not listed may be a deposit. */
function isExplained(held: ChainAccount | null, { missing, heldMinor }: AccountHistory): boolean {
  const shownMinor = readTokenAccount(held)?.amountMinor ?? 0n;
  return missing === null && (heldMinor === null || heldMinor === shownMinor);
}

function fingerprintOf(held: ChainAccount | null): string {
  return held === null ? '' : `${held.lamports} ${Buffer.from(held.data).toString('base64')}`;
}

// The deposit accounts whose list of transactions is not complete. The server may list the missing ones later, or a different
// server may list them. A gap that stays for a long time is reported for review, so that later deposits do not wait.
const PASSED_AFTER_MS = 10 * 60_000;

export interface HistoryGaps {
  policy(account: string): 'wait' | 'pass';
  /** Records the gap in an account's history. Null means that nothing is missing. */
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

// Checks deposit addresses that are too old to be watched all the time. Each turn checks some of them, starting with the
// oldest. After the last one it starts again with the oldest. So a deposit that arrives years later is found too.

/** At most one turn runs in this time. It costs one additional request. */
const EVERY_MS = 30_000;

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

  // A failure here must not prevent the detection of other deposits.
  return (client, watch) =>
    turn(client, watch).catch((error: unknown) => {
      onTrouble('looking at old deposit addresses failed', { error: messageOf(error) });
      return [];
    });
}
