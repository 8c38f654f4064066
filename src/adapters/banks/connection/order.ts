// What the answer to an order means for the payout. A refusal of the call is a refusal of the payout only when no earlier call can
// have paid it; otherwise, and when the reference is in use already, only the rail's answer about the reference counts.
import type { PayoutOrder, PayoutStatus } from '../../../ports/bank/payouts.ts';
import { type Meaning, statusOf } from './outcomes.ts';

type Refusable = Exclude<Meaning, { outcome: 'paid' }>;

export async function statusOfOrder(
  { isFirst = false }: Pick<PayoutOrder, 'isFirst'>,
  meaning: Refusable,
  code: string | null,
  ask: () => Promise<PayoutStatus>,
): Promise<PayoutStatus> {
  const refusedAgain = meaning.outcome === 'failed' && !isFirst;
  if (meaning.outcome === 'duplicate' || refusedAgain) return learned(await ask(), meaning.means);
  // An order that is not found is not an order that was refused.
  if (meaning.outcome === 'not_found') return { kind: 'unknown', reason: meaning.means };
  return statusOf(meaning, code);
}

/** A reference that is said to be in use, or may be, and is not found: it may still be on its way. */
function learned(status: PayoutStatus, said: string): PayoutStatus {
  if (status.kind !== 'not_found') return status;
  return { kind: 'unknown', reason: `${said}; and the reference is not found` };
}
