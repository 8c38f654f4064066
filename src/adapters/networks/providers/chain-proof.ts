// Whether a provider has named its chain. It has to at first, after every failure, because whatever answers then may be another
// server, and every ten minutes; one that named another chain is not believed until it names the right one.
import type { Clock } from '../../../ports/clock.ts';
import { AnotherChain } from './another-chain.ts';

/** Behind an address there may be other servers tomorrow: for so long the chain that a provider named holds. */
const PROVEN_MS = 10 * 60_000;

/** Without a way to ask, every provider counts as proven. */
export function makeChainProof(clock: Clock, ask: (() => Promise<unknown>) | undefined) {
  let provenAtMs: number | null = null;
  let isElsewhere = false;
  return {
    isElsewhere: () => isElsewhere,
    isProven: () =>
      ask === undefined || (provenAtMs !== null && clock.now() - provenAtMs < PROVEN_MS && !isElsewhere),
    /** Rejects as `ask` does. */
    prove: async (): Promise<void> => {
      await ask?.();
      isElsewhere = false;
      provenAtMs = clock.now();
    },
    /** Whether it is new that the provider serves another chain. */
    failed: (error: unknown): boolean => {
      const isNew = error instanceof AnotherChain && !isElsewhere;
      isElsewhere ||= isNew;
      provenAtMs = null;
      return isNew;
    },
  };
}
