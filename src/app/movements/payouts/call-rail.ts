// The two calls to a rail about a payout or a bank refund. The step that stored the attempt sends the order once. All later
// steps only query the status.
import type { LiveAttempt } from '../../../domain/movements/steps.ts';
import type { CallKind, PayoutStatus } from '../../../domain/rails/payout-outcome.ts';
import type { AccountDestination } from '../../../domain/records/movement.ts';
import type { PayingRail } from '../../../ports/rails/rail.ts';
import type { PickDeps } from '../../engine/deps.ts';
import { findPayingRail } from './choose-rail.ts';

export interface RailAnswer {
  readonly rail: PayingRail;
  readonly status: PayoutStatus;
  readonly called: CallKind;
  readonly beganMs: number;
}

type CallDeps = PickDeps<'banks' | 'clock'>;

/**
 * Sends the order to its rail, unless the response could arrive after the lease has ended. Returns undefined if the rail is not
 * configured.
 */
export async function placeOrder(
  { banks, clock }: CallDeps,
  { movement, attempt }: LiveAttempt,
): Promise<RailAnswer | undefined> {
  const rail = findPayingRail(banks, attempt);
  if (rail === undefined) return undefined;
  // The service repeats an order only after it queried the status.
  const called = attempt.state === 'prepared' ? 'ordered_first' : 'ordered_again';
  const beganMs = clock.now();
  const leftMs = movement.dueAtMs! - beganMs;
  const status: PayoutStatus =
    leftMs < rail.terms.timeoutMs
      ? { kind: 'not_sent', reason: `only ${leftMs} ms were left for the call` }
      : await rail.payouts.pay({
          reference: attempt.reference,
          amountMinor: movement.nairaMinor,
          destination: movement.destination as AccountDestination,
          about: movement.transactionId,
          isFirst: called === 'ordered_first',
        });
  return { rail, status, called, beganMs };
}

/**
 * If this step did not store the attempt itself, another step may already have sent the order. So the service only queries the
 * status of the attempt, whatever its state is, and never orders it.
 */
export async function askRail(
  { banks, clock }: CallDeps,
  { attempt }: LiveAttempt,
): Promise<RailAnswer | undefined> {
  const rail = findPayingRail(banks, attempt);
  if (rail === undefined) return undefined;
  const beganMs = clock.now();
  const status = await rail.payouts.ask(attempt.reference);
  return { rail, status, called: 'asked', beganMs };
}
