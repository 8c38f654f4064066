// Remembers how each watched account looked when its history was last read, so that the history of an unchanged account is
// not read again. Kept in memory alone: after a restart every history is read once more.
import type { Clock } from '../../../../ports/clock.ts';
import type { ChainAccount } from '../rpc/client.ts';
import type { Read } from './history.ts';
import type { Mark } from './position.ts';

/** An account that looks unchanged is read again after this time: tokens that came and left again in between do not show. */
const BELIEVED_MS = 120_000;

/** How an account looked when its history was last read, and up to which mark it was read. */
interface Look {
  readonly print: string;
  readonly mark: string;
  readonly readAtMs: number;
}

export function makeLooks(clock: Clock) {
  const looks = new Map<string, Look>();
  return {
    forget: (account: string) => void looks.delete(account),
    isNews: (account: string, held: ChainAccount | null, mark: Mark | undefined): boolean => {
      if (held === null && mark === undefined) return false;
      const look = looks.get(account);
      if (look === undefined || mark === undefined || mark.seen.length > 0) return true;
      const old = clock.now() - look.readAtMs >= BELIEVED_MS;
      return old || look.print !== printOf(held) || look.mark !== JSON.stringify(mark);
    },
    remember: (account: string, held: ChainAccount | null, before: Mark | undefined, read: Read): void => {
      const look = looks.get(account);
      // A change without a transaction in the history: the provider's history is behind its accounts, and is read again.
      const explained =
        read.news || look?.print === printOf(held) || (look === undefined && before !== undefined);
      if (!explained) return;
      // The rest is read in the next look, even if the account does not change until then.
      if (read.more || read.gap !== null) {
        looks.delete(account);
        return;
      }
      looks.set(account, { print: printOf(held), mark: JSON.stringify(read.mark), readAtMs: clock.now() });
    },
  };
}

function printOf(held: ChainAccount | null): string {
  return held === null ? '' : `${held.lamports} ${Buffer.from(held.data).toString('base64')}`;
}
