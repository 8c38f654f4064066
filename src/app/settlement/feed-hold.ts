// Remembers this process's lease on a feed, and renews the lease only after half of its time. An outdated memory is harmless:
// the fence protects the position, and a line that is read twice is stored once.
import type { FeedLease } from '../../ports/store/commit.ts';
import type { PickDeps, SettlementDeps } from '../engine/deps.ts';

export interface FeedMemory {
  hold: FeedLease | null;
  untilMs: number;
}

export function newFeedMemory(): FeedMemory {
  return { hold: null, untilMs: 0 };
}

/**
 * Reads a feed while this process holds the lease, and returns undefined while another process holds it. `read` returns the new
 * position.
 */
export async function readFeedUnderLease<Found>(
  deps: SettlementDeps,
  name: string,
  memory: FeedMemory,
  read: (hold: FeedLease) => Promise<{ readonly position: string | null; readonly found: Found }>,
): Promise<Found | undefined> {
  const now = deps.clock.now();
  if (memory.hold === null || memory.untilMs - now < deps.leaseMs / 2) {
    memory.hold = (await deps.store.holdFeed(name, deps.holder, now, deps.leaseMs)) ?? null;
    memory.untilMs = now + deps.leaseMs;
  }
  if (memory.hold === null) return undefined;
  const { hold } = memory;
  // The memory is empty until the new position is known.
  memory.hold = null;
  const { position, found } = await read(hold);
  memory.hold = { ...hold, position };
  return found;
}

/**
 * This process stops reading the feed and releases the lease. So another process can start at once instead of waiting for the
 * end of the lease.
 */
export async function releaseFeed(
  deps: PickDeps<'clock' | 'holder' | 'store'>,
  name: string,
  memory: FeedMemory,
): Promise<void> {
  const now = deps.clock.now();
  memory.hold = null;
  // This also releases a lease that a failed read left behind. It does not affect the lease of another process.
  if (memory.untilMs > now) await deps.store.holdFeed(name, deps.holder, now, 0);
}
