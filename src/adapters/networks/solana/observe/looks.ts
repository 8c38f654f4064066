// Remembers how each watched account looked when its history was last read, so that the history of an unchanged account is
// not read again. Kept in memory alone: after a restart every history is read once more.
import type { Clock } from '../../../../ports/clock.ts';
import type { ChainAccount } from '../rpc/client.ts';
import { readTokenAccount } from '../rpc/token-account.ts';
import type { Read } from './history.ts';
import type { Mark } from './position.ts';

/** An account that looks unchanged is read again after this time: tokens that came and left again in between do not show. */
const BELIEVED_MS = 120_000;
/** The history does not explain the balance yet: it is read again after this time, then after twice as long, and so on. */
const UNEXPLAINED_MS = 1_000;

/** How an account looked when its history was last read, and up to which mark it was read. */
interface Look {
  readonly print: string;
  readonly mark: string;
  readonly readAtMs: number;
  /** So long an account that looks unchanged is not read again. */
  readonly believedMs: number;
}

export function makeLooks(clock: Clock) {
  const looks = new Map<string, Look>();
  return {
    forget: (account: string) => void looks.delete(account),
    isNews: (account: string, held: ChainAccount | null, mark: Mark | undefined): boolean => {
      if (held === null && mark === undefined) return false;
      const look = looks.get(account);
      if (look === undefined || mark === undefined || mark.seen.length > 0) return true;
      const old = clock.now() - look.readAtMs >= look.believedMs;
      return old || look.print !== printOf(held) || look.mark !== JSON.stringify(mark);
    },
    remember: (account: string, held: ChainAccount | null, before: Mark | undefined, read: Read): void => {
      const look = looks.get(account);
      const print = printOf(held);
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
function isExplained(held: ChainAccount | null, { missing, heldMinor }: Read): boolean {
  const shownMinor = readTokenAccount(held)?.amountMinor ?? 0n;
  return missing === null && (heldMinor === null || heldMinor === shownMinor);
}

function printOf(held: ChainAccount | null): string {
  return held === null ? '' : `${held.lamports} ${Buffer.from(held.data).toString('base64')}`;
}
