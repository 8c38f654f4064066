// After a lost answer the outcome of a write is unknown. The same write is repeated until the database answers; it finds the rows
// that an earlier try may have written.
import { StoreUnavailable } from '../../../ports/store/store.ts';

/** How long a write with a lost answer is retried before the callers get an unknown outcome. */
const RESOLVE_LOST_MS = 5_000;
const RETRY_PAUSE_MS = 100;

export async function retryUntilKnown<T>(write: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + RESOLVE_LOST_MS;
  for (let acted = false; ; ) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      acted ||= error.mayHaveActed;
      if (!acted || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    }
  }
}
