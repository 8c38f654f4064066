// Knows which guards of this process work. A guard is blind if it has not completed for at least three runs and at least two
// minutes. The outgoing movements that it protects wait in this process, and continue automatically after the next completed
// run. This is not stored, so another process with working guards can continue meanwhile.
import { NAIRA } from '../../domain/values/money.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BlindGuard, GuardFacts, Guards } from '../../ports/operations/guards.ts';

const TURNS = 3;
const LEAST_MS = 2 * 60_000;

interface WatchedGuard {
  readonly facts: GuardFacts;
  wellAtMs: number;
  problem: string | null;
}

export function makeGuards({ clock }: { readonly clock: Clock }): Guards {
  const watched = new Map<string, WatchedGuard>();
  const keyOf = ({ name, mode, asset }: GuardFacts) => `${name} ${mode ?? ''} ${asset ?? ''}`;
  const isBlind = ({ facts: { everyMs }, wellAtMs }: WatchedGuard) =>
    clock.now() - wellAtMs > Math.max(LEAST_MS, TURNS * everyMs);
  return {
    guard: (facts) => {
      const key = keyOf(facts);
      const own: WatchedGuard = watched.get(key) ?? { facts, wellAtMs: clock.now(), problem: null };
      watched.set(key, own);
      const well = () => {
        own.wellAtMs = clock.now();
        own.problem = null;
      };
      return {
        completed: well,
        progressed: well,
        failed: ({ message }) => {
          own.problem = message;
        },
      };
    },
    all: () => [...watched.values()].map(({ facts }) => facts),
    blind: () =>
      [...watched.values()]
        .filter(isBlind)
        .map(({ facts, wellAtMs, problem }): BlindGuard => ({ ...facts, sinceMs: wellAtMs, problem })),
    isUnwatched: (mode, asset) =>
      [...watched.values()].some((each) => guardsAsset(each.facts, mode, asset) && isBlind(each)),
  };
}

function guardsAsset(facts: GuardFacts, mode: string, asset: string): boolean {
  if (facts.stops === 'nothing' || (facts.mode !== undefined && facts.mode !== mode)) return false;
  if (facts.asset !== undefined) return facts.asset === asset;
  return facts.stops === 'all' || asset !== NAIRA;
}
