// Broadcasts stored bytes and records what came of it. Whatever goes wrong here, the bytes are stored: they can be
// offered again, and asked about by their hash.
import {
  endAttempt,
  giveUpMovement,
  type LiveAttempt,
  recordAccepted,
  recordUnknown,
  updateAttempt,
} from '../../../domain/movements/steps.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { Attempt, Movement } from '../../../domain/records/movement.ts';
import type { BroadcastOutcome } from '../../../ports/networks/network-payer.ts';
import type { PickDeps, SettlementDeps } from '../../engine/deps.ts';
import { hasTimeFor, networkLeaseMs } from '../../engine/leases.ts';
import { backOffMs, runEach } from '../../engine/retries.ts';
import type { CommitStep } from '../commit-steps.ts';
import { envelopeOf } from './attempts.ts';

const ASK_AGAIN_MS = 300;
/** The number of tries after which the pause no longer grows: half a minute, or ten seconds where others wait behind it. */
const MOST_TRIES = 8;
const MOST_TRIES_IN_ORDER = 6;
/** Attempts that did nothing, before a person has to look. */
export const MAX_SEND_ATTEMPTS = 8;

/** A send the network has, which this process goes on with itself. */
export interface BroadcastSend {
  readonly alive: LiveAttempt;
  /** The time when it is worth asking whether it is final. */
  readonly askAtMs: number;
}

/** Sends whose bytes this step stored. Each answer is committed when it comes. */
export async function broadcastAll(
  deps: SettlementDeps,
  sends: readonly LiveAttempt[],
  commit: CommitStep,
): Promise<readonly BroadcastSend[]> {
  const offer = makeOfferOnce(deps);
  const { done, rethrow } = await runEach(sends, async (send) => {
    const { movement } = send;
    const change = await broadcastSend(deps, send, offer, networkLeaseMs(deps));
    return (await commit({ movement, change })) ? toBroadcastSends(deps, send, change) : [];
  });
  rethrow();
  return done.flatMap(({ outcome }) => outcome);
}

function toBroadcastSends(
  deps: PickDeps<'leaseMs' | 'networks'>,
  send: LiveAttempt,
  change: Change,
): readonly BroadcastSend[] {
  const [attempt] = change.attempts ?? [];
  if (attempt?.state !== 'accepted') return [];
  const movement = change.movements![0]!.after;
  const transaction = change.transactions?.[0]?.after ?? send.transaction;
  return [{ alive: { movement, attempt, transaction }, askAtMs: movement.dueAtMs! - networkLeaseMs(deps) }];
}

/** Offers an attempt's bytes to its network. */
export type OfferAttempt = (attempt: Attempt) => Promise<BroadcastOutcome>;

/** Orders in the same bytes are offered with them once. */
export function makeOfferOnce(deps: PickDeps<'networks'>): OfferAttempt {
  const offered = new Map<string, Promise<BroadcastOutcome>>();
  return (attempt) => {
    const key = `${attempt.mode} ${attempt.network} ${attempt.reference}`;
    const outcome = offered.get(key) ?? offerAttempt(deps, attempt);
    offered.set(key, outcome);
    return outcome;
  };
}

async function offerAttempt(deps: PickDeps<'networks'>, attempt: Attempt): Promise<BroadcastOutcome> {
  const network = deps.networks.find(attempt.mode, attempt.network!);
  if (network === undefined) return { kind: 'unknown', reason: 'network_not_enabled' };
  // The newest version: it offers most.
  return network.broadcast(envelopeOf(attempt).versions.at(-1)!);
}

/**
 * Offers the bytes, unless the answer could come after the lease has ended: then they are for whoever leases them next, at once.
 * `heldMs`: after the call, how long only this process asks about it.
 */
export async function broadcastSend(
  deps: SettlementDeps,
  send: LiveAttempt,
  offer: OfferAttempt,
  heldMs = 0,
): Promise<Change> {
  const { movement, attempt } = send;
  const network = deps.networks.find(movement.mode, movement.network!);
  if (!hasTimeFor(deps, movement.dueAtMs!, network?.answersWithinMs)) return makeMovementDue(deps, movement);
  const outcome = await offer(attempt);
  const atMs = deps.clock.now();
  switch (outcome.kind) {
    case 'accepted':
      // Ours until then: others ask only when this process has not come to it.
      return recordAccepted(send, { atMs, dueAtMs: atMs + network!.finalAfterMs + heldMs });
    case 'unknown': {
      const dueAtMs = atMs + nextAskDelayMs(deps, movement);
      return recordUnknown(send, { atMs, dueAtMs }, outcome.reason);
    }
    case 'rejected': {
      if (await mayEndUnpaid(deps, attempt)) return onRejected(deps, send, outcome.reason);
      return recordUnknown(
        send,
        { atMs, dueAtMs: atMs + nextAskDelayMs(deps, movement) },
        TOKENS_LEFT_REASON,
      );
    }
  }
}

function makeMovementDue(deps: PickDeps<'clock'>, movement: Movement): Change {
  const atMs = deps.clock.now();
  return { atMs, movements: [makeMove(movement, { dueAtMs: atMs })] };
}

/** The reason why bytes that reportedly paid nothing stay open. */
export const TOKENS_LEFT_REASON = 'tokens left the treasury under its hash';

/** Whether bytes may end unpaid by what was seen leaving the treasury. Otherwise the sends of the asset are stopped by this. */
export async function mayEndUnpaid(
  { networks, guard }: PickDeps<'guard' | 'networks'>,
  attempt: Attempt,
): Promise<boolean> {
  const network = networks.find(attempt.mode, attempt.network!);
  return network === undefined || guard.mayEnd(network, attempt);
}

/**
 * How long until it is worth asking again about what was broadcast: never long, because a customer waits for it. Bytes with a
 * sequence number even hold up everything behind them, and each order in them is asked about by itself.
 */
export function nextAskDelayMs(
  deps: PickDeps<'entropy' | 'networks'>,
  { mode, network, tries }: Movement,
): number {
  const isOrdered = (deps.networks.find(mode, network!)?.orderedBy ?? null) !== null;
  return backOffMs(deps, Math.min(tries, isOrdered ? MOST_TRIES_IN_ORDER : MOST_TRIES), ASK_AGAIN_MS);
}

function onRejected(
  deps: PickDeps<'clock' | 'entropy' | 'onTrouble'>,
  send: LiveAttempt,
  reason: string,
): Change {
  const { movement, transaction } = send;
  const atMs = deps.clock.now();
  // What is to be brought in stays to be brought in, however often it is refused.
  if (movement.attempts >= MAX_SEND_ATTEMPTS && movement.kind !== 'sweep') {
    deps.onTrouble('a movement was given up', { movement: movement.id, reason });
    const last = updateAttempt(send.attempt, 'rejected', atMs, { reason });
    return giveUpMovement(
      send,
      atMs,
      transaction?.feeMinor ?? 0n,
      `rejected ${movement.attempts} times`,
      last,
    );
  }
  const dueAtMs = atMs + backOffMs(deps, movement.attempts, ASK_AGAIN_MS);
  return endAttempt(send, { atMs, dueAtMs }, 'rejected', { reason });
}
