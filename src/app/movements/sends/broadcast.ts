// Broadcasts stored bytes and records the result. If this fails, the bytes are already stored, so the service can offer them
// again and query them by their hash.
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
/**
 * The number of tries after which the pause no longer grows. The pause is then half a minute, or ten seconds if other payments
 * wait behind this one.
 */
const MOST_TRIES = 8;
const MOST_TRIES_IN_ORDER = 6;
/** After this many attempts without effect, a person must review the payment. */
export const MAX_SEND_ATTEMPTS = 8;

export interface BroadcastSend {
  readonly alive: LiveAttempt;
  /** The earliest time at which the send may be final. A query before this time is useless. */
  readonly askAtMs: number;
}

/** This step must have stored the bytes of the sends in `sends`. The service commits each response when it arrives. */
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

export type OfferAttempt = (attempt: Attempt) => Promise<BroadcastOutcome>;

/** Orders in the same bytes are offered to the network together, and only once. */
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
  // The newest version of the bytes offers the highest fee.
  return network.broadcast(envelopeOf(attempt).versions.at(-1)!);
}

/**
 * Offers the bytes to the network, unless the response could arrive after the lease has ended. In that case, the next process
 * that leases the send can offer them at once. `heldMs` says how long after the call other processes do not query the bytes.
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
      // Until this time, this process follows the send. Other processes query the send only if this process has not done so.
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

/** The reason why an attempt stays open although its network reports that the attempt paid nothing. */
export const TOKENS_LEFT_REASON = 'tokens left the treasury in its transaction';

/**
 * Decides from the observed outflows of the treasury whether an attempt may end as unpaid. If it may not, the guard stops the
 * sends of the asset.
 */
export async function mayEndUnpaid(
  { networks, guard }: PickDeps<'guard' | 'networks'>,
  attempt: Attempt,
): Promise<boolean> {
  const network = networks.find(attempt.mode, attempt.network!);
  return network === undefined || guard.mayEnd(network, attempt);
}

/**
 * How long to wait before the next query about a broadcast. The pause is never long, because a customer is waiting and bytes
 * with a sequence number also block all later payments. Each order in these bytes is queried separately.
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
  // A sweep is tried again after any number of refusals.
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
