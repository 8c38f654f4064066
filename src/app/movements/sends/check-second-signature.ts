// Before an order is signed again, queries the bytes that ended unpaid once more. Any contradiction prevents the signature.
// domain/movements/second-signature.ts decides from the responses.
import {
  decideSecondSignature,
  type EnvelopeAnswer,
  hasEndedUnpaid,
  type SecondSignatureDecision,
} from '../../../domain/movements/second-signature.ts';
import { finishMovement, holdMovementBack, type LiveAttempt } from '../../../domain/movements/steps.ts';
import { makeMove } from '../../../domain/records/change.ts';
import type { Attempt, Movement } from '../../../domain/records/movement.ts';
import type { Network } from '../../../ports/networks/network.ts';
import type { SendStatus } from '../../../ports/networks/network-payer.ts';
import type { PickDeps, SettlementDeps } from '../../engine/deps.ts';
import { backOffMs } from '../../engine/retries.ts';
import type { NetworkContact, NetworkStep } from '../movement-step.ts';
import { costShareOf, envelopeOf } from './attempts.ts';
import { mayEndUnpaid } from './broadcast.ts';

const ASK_AGAIN_MS = 1_200;
/** The reason why a movement waits. The waiting time began when the movement was last updated. */
const UNCLEAR_REASON = 'unclear outcome of attempt';

interface EndedSend {
  readonly movement: Movement;
  readonly last: Attempt;
  readonly transaction: LiveAttempt['transaction'];
}

/** Returns undefined if the order may be signed again. */
export async function checkSecondSignature(
  deps: SettlementDeps,
  contact: NetworkContact,
  ended: EndedSend,
): Promise<NetworkStep | undefined> {
  const { movement, last } = ended;
  const network = deps.networks.find(movement.mode, movement.network!)!;
  const status = await contact.ask(last);
  const heard = toEnvelopeAnswer(status, last);
  const contradicted = hasEndedUnpaid(heard) && (await isEndContradicted(deps, network, last));
  const atMs = deps.clock.now();
  const next = decideSecondSignature({
    heard,
    contradicted,
    unclearMs: atMs - unclearSinceMs(movement, atMs),
    byOneAlone: movement.mode === 'live' && network.providerCount === 1 && movement.kind !== 'sweep',
  });
  return next === 'sign_again' ? undefined : planInstead(deps, ended, next, status);
}

function toEnvelopeAnswer(status: SendStatus, { index }: Attempt): EnvelopeAnswer {
  if (status.kind !== 'final') return status.kind;
  return status.unpaid.some((each) => each.index === index) ? 'unpaid' : 'paid';
}

/**
 * Returns whether any provider contradicts that the attempt ended unpaid. Throws an error if no provider can be queried; then
 * nothing is signed either.
 */
async function isEndContradicted(
  deps: PickDeps<'guard' | 'networks' | 'onTrouble'>,
  network: Network,
  last: Attempt,
): Promise<boolean> {
  if (!(await mayEndUnpaid(deps, last))) return true;
  // A failed transaction is in a block in any case. If only one of its orders was unpaid, its paid orders are in that block,
  // too.
  if (last.state === 'failed' || !(await network.shows(envelopeOf(last)))) return false;
  deps.onTrouble('a send that was declared dead has landed', {
    movement: last.movementId,
    hash: last.reference,
  });
  await deps.guard.stopLanded(last.mode, network, [last.reference]);
  return true;
}

function unclearSinceMs({ reason, updatedAtMs }: Movement, atMs: number): number {
  return reason?.startsWith(UNCLEAR_REASON) === true ? updatedAtMs : atMs;
}

function planInstead(
  deps: PickDeps<'clock' | 'entropy' | 'onTrouble'>,
  { movement, last, transaction }: EndedSend,
  next: Exclude<SecondSignatureDecision, 'sign_again'>,
  status: SendStatus,
): NetworkStep {
  const atMs = deps.clock.now();
  if (next === 'settle' && status.kind === 'final') {
    deps.onTrouble('a send that had ended as unpaid was paid after all', {
      movement: movement.id,
      hash: last.reference,
    });
    const costs = { feeMinor: 0n, chargeMinor: 0n, network: costShareOf(last, status.cost) };
    return {
      change: finishMovement(
        { movement, attempt: last, transaction },
        atMs,
        status.evidence,
        costs,
        status.hash,
      ),
    };
  }
  if (next === 'ask_people') {
    deps.onTrouble('two people must decide whether a payment is signed again', {
      movement: movement.id,
      hash: last.reference,
      answer: status.kind,
    });
    const reason = `${last.state}, then ${status.kind}: two people decide whether it is signed again`;
    return { change: holdMovementBack(movement, last, transaction, atMs, reason) };
  }
  const updates = {
    reason: `${UNCLEAR_REASON} ${last.no}`,
    updatedAtMs: unclearSinceMs(movement, atMs),
    dueAtMs: atMs + backOffMs(deps, movement.tries, ASK_AGAIN_MS),
  };
  return { change: { atMs, movements: [makeMove(movement, updates)] } };
}
