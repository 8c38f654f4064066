// After a lost answer the outcome of a write is unknown: the same write, which finds what it may have written before, is made
// again until the database answers.
import { StoreUnavailable } from '../../../ports/store/store.ts';

/** How long a lost answer is retried before the callers get an unknown outcome. */
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
