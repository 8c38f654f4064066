// Whether a rail may pay what it asks about: only an order that we gave it ourselves, to the kobo and to the account, and whose
// outcome is still open. What was concluded is never approved again.
import type { AccountDestination, AttemptState, MovementState } from '../records/movement.ts';

export interface AskedPayout {
  readonly reference: string;
  readonly amountMinor: bigint;
  /** Our word for the bank; null: the rail names one that we do not know. */
  readonly bankCode: string | null;
  readonly accountNumber: string;
}

/** An attempt on the rail that asks. */
export interface GivenAttempt {
  readonly movementId: string;
  readonly no: number;
  readonly reference: string;
  readonly state: AttemptState;
  readonly movement: {
    readonly state: MovementState;
    /** The number of its last attempt: only that one may pay. */
    readonly attempts: number;
    readonly nairaMinor: bigint;
    readonly destination: AccountDestination;
  };
}

export const DOUBTS = [
  'unknown_reference',
  'concluded',
  'other_amount',
  'other_account',
  'repeated_in_batch',
] as const;
export type Doubt = (typeof DOUBTS)[number];

export type Judged =
  | { readonly kind: 'approved'; readonly attempts: readonly GivenAttempt[] }
  | { readonly kind: 'rejected'; readonly doubt: Doubt; readonly asked: AskedPayout };

/** Judges the orders of one question: all are approved, or none. */
export function judgeAsked(orders: readonly AskedPayout[], given: readonly GivenAttempt[]): Judged {
  const attempts: GivenAttempt[] = [];
  for (const asked of orders) {
    const found = given.filter(({ reference }) => reference === asked.reference);
    const open = found.find(isOpen);
    const doubt = doubtOf(asked, found[0], open, attempts);
    if (doubt !== null || open === undefined) return { kind: 'rejected', doubt: doubt ?? 'concluded', asked };
    attempts.push(open);
  }
  return { kind: 'approved', attempts };
}

function doubtOf(
  { amountMinor, bankCode, accountNumber }: AskedPayout,
  found: GivenAttempt | undefined,
  open: GivenAttempt | undefined,
  approved: readonly GivenAttempt[],
): Doubt | null {
  if (found === undefined) return 'unknown_reference';
  if (open === undefined) return 'concluded';
  if (approved.includes(open)) return 'repeated_in_batch';
  const { nairaMinor, destination } = open.movement;
  if (amountMinor !== nairaMinor) return 'other_amount';
  const isToIt = bankCode === destination.bankCode && accountNumber === destination.accountNumber;
  return isToIt ? null : 'other_account';
}

/** An order whose answer was lost is given again under its reference, so an open one may be asked about many times. */
function isOpen({ no, state, movement }: GivenAttempt): boolean {
  const mayPay = state === 'prepared' || state === 'accepted' || state === 'unknown';
  return mayPay && no === movement.attempts && (movement.state === 'sending' || movement.state === 'unknown');
}
