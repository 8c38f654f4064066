// Decides whether a rail may pay an order that it asks us to approve. The order must be ours, with the same amount and account,
// and its outcome must still be open. An attempt with a known outcome is never approved again.
import type { AccountDestination, AttemptState, MovementState } from '../records/movement.ts';

export interface ApprovalRequest {
  readonly reference: string;
  readonly amountMinor: bigint;
  /** Our code for the bank. Null: the rail named a bank that we do not know. */
  readonly bankCode: string | null;
  readonly accountNumber: string;
}

export interface RailAttempt {
  readonly movementId: string;
  readonly no: number;
  readonly reference: string;
  readonly state: AttemptState;
  readonly movement: {
    readonly state: MovementState;
    /** The number of the movement's last attempt. Only that attempt may pay. */
    readonly attempts: number;
    readonly nairaMinor: bigint;
    readonly destination: AccountDestination;
  };
}

export const APPROVAL_DOUBTS = [
  'unknown_reference',
  'concluded',
  'other_amount',
  'other_account',
  'repeated_in_batch',
] as const;
export type ApprovalDoubt = (typeof APPROVAL_DOUBTS)[number];

export type ApprovalVerdict =
  | { readonly kind: 'approved'; readonly attempts: readonly RailAttempt[] }
  | { readonly kind: 'rejected'; readonly doubt: ApprovalDoubt; readonly asked: ApprovalRequest };

/** Judges the orders of one approval request. Either all orders are approved, or none. */
export function judgeApprovalRequests(
  orders: readonly ApprovalRequest[],
  given: readonly RailAttempt[],
): ApprovalVerdict {
  const attempts: RailAttempt[] = [];
  for (const asked of orders) {
    const found = given.filter(({ reference }) => reference === asked.reference);
    const open = found.find(isOpenAttempt);
    const doubt = findDoubt(asked, found[0], open, attempts);
    if (doubt !== null || open === undefined) return { kind: 'rejected', doubt: doubt ?? 'concluded', asked };
    attempts.push(open);
  }
  return { kind: 'approved', attempts };
}

function findDoubt(
  { amountMinor, bankCode, accountNumber }: ApprovalRequest,
  found: RailAttempt | undefined,
  open: RailAttempt | undefined,
  approved: readonly RailAttempt[],
): ApprovalDoubt | null {
  if (found === undefined) return 'unknown_reference';
  if (open === undefined) return 'concluded';
  if (approved.includes(open)) return 'repeated_in_batch';
  const { nairaMinor, destination } = open.movement;
  if (amountMinor !== nairaMinor) return 'other_amount';
  const isToIt = bankCode === destination.bankCode && accountNumber === destination.accountNumber;
  return isToIt ? null : 'other_account';
}

/**
 * Whether the attempt is open. An order whose response was lost is sent again with the same reference, so the rail may ask for
 * its approval several times.
 */
function isOpenAttempt({ no, state, movement }: RailAttempt): boolean {
  const mayPay = state === 'prepared' || state === 'accepted' || state === 'unknown';
  return mayPay && no === movement.attempts && (movement.state === 'sending' || movement.state === 'unknown');
}
