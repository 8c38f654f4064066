// Before an order is signed again: the bytes that ended unpaid are asked about once more, and whatever contradicts their end keeps
// the order from being signed. What to do with what is heard is decided in domain/movements/sign-again.ts.
import {
  type AfterHearing,
  decideSecondSignature,
  endedUnpaid,
  type Heard,
} from '../../../domain/movements/sign-again.ts';
import { finished, heldBack, type UnderWay } from '../../../domain/movements/steps.ts';
import { moveOf } from '../../../domain/records/change.ts';
import type { Attempt, Movement } from '../../../domain/records/movement.ts';
import type { Network } from '../../../ports/networks/network.ts';
import type { SendStatus } from '../../../ports/networks/pays.ts';
import type { Needs, SettlementDeps } from '../../engine/deps.ts';
import { backOffMs } from '../../engine/retries.ts';
import type { Contact, NetworkStep } from '../step.ts';
import { costOf, envelopeOf } from './attempts.ts';
import { mayEnd } from './broadcast.ts';

const ASK_AGAIN_MS = 1_200;
/** The reason of a movement that waits; since when is the time of its last update. */
const UNCLEAR = 'unclear outcome of attempt';

interface Ended {
  readonly movement: Movement;
  /** Its last attempt. */
  readonly last: Attempt;
  readonly transaction: UnderWay['transaction'];
}

/** Undefined: it may be signed again. */
export async function insteadOfSigning(
  deps: SettlementDeps,
  contact: Contact,
  ended: Ended,
): Promise<NetworkStep | undefined> {
  const { movement, last } = ended;
  const network = deps.networks.find(movement.mode, movement.network!)!;
  const status = await contact.ask(last);
  const heard = heardIn(status, last);
  const contradicted = endedUnpaid(heard) && (await isContradicted(deps, network, last));
  const atMs = deps.clock.now();
  const next = decideSecondSignature({
    heard,
    contradicted,
    unclearMs: atMs - unclearSinceMs(movement, atMs),
    byOneAlone: movement.mode === 'live' && network.providerCount === 1 && movement.kind !== 'sweep',
  });
  return next === 'sign_again' ? undefined : doInstead(deps, ended, next, status);
}

function heardIn(status: SendStatus, { index }: Attempt): Heard {
  if (status.kind !== 'final') return status.kind;
  return status.unpaid.some((each) => each.index === index) ? 'unpaid' : 'paid';
}

/** Whether any provider contradicts: one is enough to stop. Throws when none can be asked: then nothing is signed either. */
async function isContradicted(
  deps: Needs<'guard' | 'networks' | 'onTrouble'>,
  network: Network,
  last: Attempt,
): Promise<boolean> {
  if (!(await mayEnd(deps, last))) return true;
  // A failed one is in a block, and so are the paid orders beside an unpaid one.
  if (last.state === 'failed' || !(await network.shows(envelopeOf(last)))) return false;
  deps.onTrouble('a send that was declared dead has landed', {
    movement: last.movementId,
    hash: last.reference,
  });
  await deps.guard.stopLanded(last.mode, network, [last.reference]);
  return true;
}

function unclearSinceMs({ reason, updatedAtMs }: Movement, atMs: number): number {
  return reason?.startsWith(UNCLEAR) === true ? updatedAtMs : atMs;
}

function doInstead(
  deps: Needs<'clock' | 'entropy' | 'onTrouble'>,
  { movement, last, transaction }: Ended,
  next: Exclude<AfterHearing, 'sign_again'>,
  status: SendStatus,
): NetworkStep {
  const atMs = deps.clock.now();
  if (next === 'settle' && status.kind === 'final') {
    deps.onTrouble('a send that had ended unpaid was paid', { movement: movement.id, hash: last.reference });
    const costs = { feeMinor: 0n, chargeMinor: 0n, network: costOf(last, status.cost) };
    return {
      change: finished({ movement, attempt: last, transaction }, atMs, status.evidence, costs, status.hash),
    };
  }
  if (next === 'ask_people') {
    deps.onTrouble('two people must decide whether a payment is signed again', {
      movement: movement.id,
      hash: last.reference,
      answer: status.kind,
    });
    const reason = `${last.state}, then ${status.kind}: two people decide whether it is signed again`;
    return { change: heldBack(movement, last, transaction, atMs, reason) };
  }
  const updates = {
    reason: `${UNCLEAR} ${last.no}`,
    updatedAtMs: unclearSinceMs(movement, atMs),
    dueAtMs: atMs + backOffMs(deps, movement.tries, ASK_AGAIN_MS),
  };
  return { change: { atMs, movements: [moveOf(movement, updates)] } };
}
