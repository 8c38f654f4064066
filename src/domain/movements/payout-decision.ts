// What is done about a payout or a refund by bank after its rail has answered. What the answer proves is decided in
// rails/payout-outcome.ts; this adds what follows for the movement where nothing is paid.
import type { Verdict } from '../rails/payout-outcome.ts';
import { memoryOf } from './outcome-memory.ts';
import type { UnderWay } from './steps.ts';

/** What `decideOutcome` calls unpaid. */
export type Unpaid = Extract<Verdict, { readonly kind: 'unpaid' }>;

export type PayoutDecision =
  | Exclude<Verdict, Unpaid>
  /** By fault of its rail: another one gets it, or it waits for one. */
  | { readonly kind: 'elsewhere'; readonly proof: Unpaid['proof']; readonly reason: string }
  /** A payout that every rail would refuse: the tokens go back. */
  | { readonly kind: 'undo'; readonly reason: string }
  /** A refund that every rail would refuse. */
  | { readonly kind: 'give_up'; readonly reason: string };

/** `isDoubted`: the rail broke its word before, so that its refusals prove nothing. People decide. */
export function decideUnpaid(
  { movement, attempt }: UnderWay,
  { proof, fault, reason }: Unpaid,
  isDoubted: boolean,
): PayoutDecision {
  if (proof === 'refused' && isDoubted) {
    const why = `${reason}; and this rail has paid what it had refused before`;
    return { kind: 'people', memory: memoryOf(attempt), reason: why };
  }
  if (fault === 'rail') return { kind: 'elsewhere', proof, reason };
  return { kind: movement.kind === 'payout' ? 'undo' : 'give_up', reason };
}
