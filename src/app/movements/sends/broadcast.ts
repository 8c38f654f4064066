// Broadcasts stored bytes and records what came of it. Whatever goes wrong here, the bytes are stored: they can be
// offered again, and asked about by their hash.
import {
  accepted,
  dead,
  givenUp,
  type UnderWay,
  unknown,
  updatedAttempt,
} from '../../../domain/movements/steps.ts';
import { type Change, moveOf } from '../../../domain/records/change.ts';
import type { Attempt, Movement } from '../../../domain/records/movement.ts';
import type { BroadcastOutcome } from '../../../ports/networks/pays.ts';
import type { Needs, SettlementDeps } from '../../engine/deps.ts';
import { hasTimeFor, networkLeaseMs } from '../../engine/leases.ts';
import { apart, backOffMs } from '../../engine/retries.ts';
import type { CommitStep } from '../commit-steps.ts';
import { envelopeOf } from './attempts.ts';

const ASK_AGAIN_MS = 300;
/** The number of tries after which the pause no longer grows: half a minute, or ten seconds where others wait behind it. */
const MOST_TRIES = 8;
const MOST_TRIES_IN_ORDER = 6;
/** Attempts that did nothing, before a person has to look. */
export const MAX_ATTEMPTS = 8;

/** A send the network has, which this process goes on with itself. */
export interface Sent {
  readonly alive: UnderWay;
  /** The time when it is worth asking whether it is final. */
  readonly askAtMs: number;
}

/** Sends whose bytes this step stored. Each answer is committed when it comes. */
export async function broadcastAll(
  deps: SettlementDeps,
  sends: readonly UnderWay[],
  commit: CommitStep,
): Promise<readonly Sent[]> {
  const offer = onceEach(deps);
  const { done, rethrow } = await apart(sends, async (send) => {
    const { movement } = send;
    const change = await broadcast(deps, send, offer, networkLeaseMs(deps));
    return (await commit({ movement, change })) ? sentBy(deps, send, change) : [];
  });
  rethrow();
  return done.flatMap(({ outcome }) => outcome);
}

function sentBy(deps: Needs<'leaseMs' | 'networks'>, send: UnderWay, change: Change): readonly Sent[] {
  const [attempt] = change.attempts ?? [];
  if (attempt?.state !== 'accepted') return [];
  const movement = change.movements![0]!.after;
  const transaction = change.transactions?.[0]?.after ?? send.transaction;
  return [{ alive: { movement, attempt, transaction }, askAtMs: movement.dueAtMs! - networkLeaseMs(deps) }];
}

/** Offers an attempt's bytes to its network. */
export type Offer = (attempt: Attempt) => Promise<BroadcastOutcome>;

/** Orders in the same bytes are offered with them once. */
export function onceEach(deps: Needs<'networks'>): Offer {
  const offered = new Map<string, Promise<BroadcastOutcome>>();
  return (attempt) => {
    const key = `${attempt.mode} ${attempt.network} ${attempt.reference}`;
    const outcome = offered.get(key) ?? offer(deps, attempt);
    offered.set(key, outcome);
    return outcome;
  };
}

async function offer(deps: Needs<'networks'>, attempt: Attempt): Promise<BroadcastOutcome> {
  const network = deps.networks.find(attempt.mode, attempt.network!);
  if (network === undefined) return { kind: 'unknown', reason: 'network_not_enabled' };
  // The newest version: it offers most.
  return network.broadcast(envelopeOf(attempt).versions.at(-1)!);
}

/**
 * Offers the bytes, unless the answer could come after the lease has ended: then they are for whoever leases them next, at once.
 * `heldMs`: how much longer than it takes it is the caller's own to ask about.
 */
export async function broadcast(
  deps: SettlementDeps,
  send: UnderWay,
  offer: Offer,
  heldMs = 0,
): Promise<Change> {
  const { movement, attempt } = send;
  const network = deps.networks.find(movement.mode, movement.network!);
  if (!hasTimeFor(deps, movement.dueAtMs!, network?.answersWithinMs)) return dueNow(deps, movement);
  const outcome = await offer(attempt);
  const atMs = deps.clock.now();
  switch (outcome.kind) {
    case 'accepted':
      // Ours until then: others ask only when this process has not come to it.
      return accepted(send, { atMs, dueAtMs: atMs + network!.finalAfterMs + heldMs });
    case 'unknown': {
      const dueAtMs = atMs + askAgainMs(deps, movement);
      return unknown(send, { atMs, dueAtMs }, outcome.reason);
    }
    case 'rejected': {
      if (await mayEnd(deps, attempt)) return rejected(deps, send, outcome.reason);
      return unknown(send, { atMs, dueAtMs: atMs + askAgainMs(deps, movement) }, LEFT);
    }
  }
}

function dueNow(deps: Needs<'clock'>, movement: Movement): Change {
  const atMs = deps.clock.now();
  return { atMs, movements: [moveOf(movement, { dueAtMs: atMs })] };
}

/** The reason why bytes that reportedly paid nothing stay open. */
export const LEFT = 'tokens left the treasury under its hash';

/** Whether bytes may end unpaid by what was seen leaving the treasury. Otherwise the sends of the asset are stopped by this. */
export async function mayEnd(
  { networks, guard }: Needs<'guard' | 'networks'>,
  attempt: Attempt,
): Promise<boolean> {
  const network = networks.find(attempt.mode, attempt.network!);
  return network === undefined || guard.mayEnd(network, attempt);
}

/**
 * How long until it is worth asking again about what was broadcast: never long, because a customer waits for it. Bytes with a
 * sequence number even hold up everything behind them, and each order in them is asked about by itself.
 */
export function askAgainMs(deps: Needs<'entropy' | 'networks'>, { mode, network, tries }: Movement): number {
  const isOrdered = (deps.networks.find(mode, network!)?.orderedBy ?? null) !== null;
  return backOffMs(deps, Math.min(tries, isOrdered ? MOST_TRIES_IN_ORDER : MOST_TRIES), ASK_AGAIN_MS);
}

function rejected(deps: Needs<'clock' | 'entropy' | 'onTrouble'>, send: UnderWay, reason: string): Change {
  const { movement, transaction } = send;
  const atMs = deps.clock.now();
  // What is to be brought in stays to be brought in, however often it is refused.
  if (movement.attempts >= MAX_ATTEMPTS && movement.kind !== 'sweep') {
    deps.onTrouble('a movement was given up', { movement: movement.id, reason });
    const last = updatedAttempt(send.attempt, 'rejected', atMs, { reason });
    return givenUp(send, atMs, transaction?.feeMinor ?? 0n, `rejected ${movement.attempts} times`, last);
  }
  const dueAtMs = atMs + backOffMs(deps, movement.attempts, ASK_AGAIN_MS);
  return dead(send, { atMs, dueAtMs }, 'rejected', { reason });
}
