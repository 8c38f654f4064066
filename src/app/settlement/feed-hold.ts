// The right to read a feed, as this process remembers it: asked for anew only when half of its time is gone. What is
// remembered wrongly does no harm: the fence keeps the position, and what is read twice is recorded once.
import type { FeedHold } from '../../ports/store/commit.ts';
import type { SettlementDeps } from './context.ts';

export interface FeedMemory {
  hold: FeedHold | null;
  untilMs: number;
}

export function newFeedMemory(): FeedMemory {
  return { hold: null, untilMs: 0 };
}

/** Reads a feed while this process may; undefined while another one does. `read` answers the new position. */
export async function withFeed<Found>(
  deps: SettlementDeps,
  name: string,
  memory: FeedMemory,
  read: (hold: FeedHold) => Promise<{ readonly position: string | null; readonly found: Found }>,
): Promise<Found | undefined> {
  const now = deps.clock.now();
  if (memory.hold === null || memory.untilMs - now < deps.leaseMs / 2) {
    memory.hold = (await deps.store.holdFeed(name, deps.holder, now, deps.leaseMs)) ?? null;
    memory.untilMs = now + deps.leaseMs;
  }
  if (memory.hold === null) return undefined;
  const { hold } = memory;
  // Until it is known how far the reading came, nothing is remembered.
  memory.hold = null;
  const { position, found } = await read(hold);
  memory.hold = { ...hold, position };
  return found;
}

/** This process reads it no more: the next one may, at once, and need not wait until the hold runs out. */
export async function letGoOfFeed(deps: SettlementDeps, name: string, memory: FeedMemory): Promise<void> {
  const now = deps.clock.now();
  memory.hold = null;
  // Also after a reading that failed: the right to it is kept then. Another process's hold stays as it is.
  if (memory.untilMs > now) await deps.store.holdFeed(name, deps.holder, now, 0);
}
