// Lets an operator restart the reading of a network at a chosen block, if the network has replaced blocks that were read. A
// block that is read twice is recorded once. If some blocks would never be read, the operator must name them explicitly.
import type { Mode } from '../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LedgerAudit } from '../../ports/ledger.ts';
import type { FeedLease } from '../../ports/store/commit.ts';
import type { Store } from '../../ports/store/store.ts';
import { networkFeedName } from '../settlement/observe-deposits.ts';

const LEASE_MS = 15_000;

export interface RereadNetworkDeps {
  readonly store: Pick<Store, 'holdFeed' | 'commit'>;
  readonly ledgerAudit: Pick<LedgerAudit, 'note'>;
  readonly clock: Clock;
  readonly actor: string;
}

/** Converts between a stored position and the number of the first block that is not read yet. */
export interface BlockPositions {
  nextOf(position: string): bigint;
  positionAt(next: bigint): string;
}

interface RereadRequest {
  readonly mode: Mode;
  readonly network: string;
  readonly from: bigint;
  /** True if the operator allows the service to skip blocks that were never read. */
  readonly skip: boolean;
  readonly blocks: BlockPositions;
}

export async function rereadNetwork(
  { store, ledgerAudit, clock, actor }: RereadNetworkDeps,
  given: RereadRequest,
): Promise<Result<{ readonly before: bigint }, string>> {
  const { mode, network } = given;
  const holding = (forMs: number) =>
    store.holdFeed(networkFeedName(mode, network), `reread by ${actor}`, clock.now(), forMs);
  const hold = await holding(LEASE_MS);
  if (hold === undefined)
    return fail(
      `A process is reading ${network}. Stop every process of the service, then try again. A killed process ` +
        'keeps its lease until it expires (SETTLE_LEASE_MS).',
    );
  try {
    return await moveFeedTo(hold, { store, ledgerAudit, clock, actor }, given);
  } finally {
    // Releases the feed, so that the service may start at once.
    await holding(0);
  }
}

async function moveFeedTo(
  hold: FeedLease,
  { store, ledgerAudit, clock, actor }: RereadNetworkDeps,
  { mode, network, from, skip, blocks }: RereadRequest,
): Promise<Result<{ readonly before: bigint }, string>> {
  if (hold.position === null)
    return fail(`${network} has not been read yet: there is nothing to read again.`);
  const before = blocks.nextOf(hold.position);
  if (from > before && !skip)
    return fail(
      `Blocks ${before} to ${from - 1n} were never read: their deposits would be lost. To skip them: --skip`,
    );
  // The audit entry is written before the position moves. So an audit entry without a move may exist, but never a move without
  // an audit entry.
  await ledgerAudit.note(
    'network_reread',
    { mode, network, from: `${from}`, before: `${before}` },
    { actor, atMs: clock.now() },
  );
  await store.commit([], { hold, position: blocks.positionAt(from) });
  return ok({ before });
}
