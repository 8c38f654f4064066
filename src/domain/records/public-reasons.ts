// The texts about a transaction that a business reads: the public code and sentence for every internal reason and exception. A
// screening hit, a freeze and a limit have the same text, because a business must not learn that it is screened.
import { isExceptionOver, type TransactionException } from './exceptions.ts';
import { PUBLIC_REASONS, type PublicReason, STEP_REASONS, type StepReason } from './move-reasons.ts';
import type { TransactionState } from './states.ts';

export const PUBLIC_SENTENCES = {
  accepted: 'The transaction was accepted.',
  wallet_given: 'The wallet was set.',
  refund_wallet_given: 'The refund wallet was set.',
  cancelled_by_business: 'The business cancelled the transaction.',
  payment_found: 'The bank reported the payment.',
  payment_found_before_wallet: 'The bank reported the payment before the wallet was set.',
  paid_in_part: 'Part of the payment arrived.',
  paid_without_wallet: 'The payment arrived, but no wallet is set.',
  payment_not_found: 'No payment was found in time.',
  payment_incomplete: 'The payment is not complete.',
  payment_returning: 'A payment that cannot be used is being returned to its payer.',
  payment_reversed: 'The bank reversed the payment.',
  payment_reversed_after_use: 'The bank reversed the payment after tokens or a refund were sent for it.',
  tokens_seen: 'Tokens were seen at the deposit address.',
  tokens_dropped: 'The network dropped the transfer to the deposit address.',
  tokens_in_part: 'Part of the tokens arrived.',
  tokens_incomplete: 'The rest of the tokens did not arrive in time.',
  tokens_not_received: 'No tokens arrived in time.',
  tokens_late: 'Tokens arrived after expiry.',
  tokens_returning: 'Unexpected tokens are being returned.',
  deposit_final: 'The network can no longer undo the deposit.',
  trustline_missing: 'The wallet cannot receive the token yet.',
  tokens_reserved: 'The tokens are reserved and are being sent.',
  tokens_sent: 'The tokens were sent to the network.',
  network_reorganised: 'The network dropped the transfer; it is broadcast again.',
  send_repeated: 'The transfer did not take place; it is sent again.',
  tokens_arrived: 'The tokens arrived at the wallet.',
  payout_reserved: 'The naira are reserved and are being paid out.',
  payout_refused: 'The bank refused the payout. The refusal is being confirmed before anything else is done.',
  payout_rerouted: 'The bank did not make the payout. It is being made through another channel.',
  payout_made: 'The bank confirmed the payout.',
  payout_repeated: 'The payout is made again, to the account that the operator confirmed.',
  payout_paid_late: 'The bank made a payout that it had refused or returned before.',
  refund_repeated: 'A returned refund is paid again.',
  refund_made: 'A refund was made.',
  released: 'The operator released the transaction.',
  being_refunded: 'The operator decided to refund the transaction.',
  declined: 'The operator declined the transaction.',
  on_request: 'The transaction was ended at the request of the business or its customer.',
  details_unusable: 'The given account or wallet cannot be used.',
  under_review: 'The operator is reviewing the transaction.',
  paid_partial: 'Less arrived than requested.',
  paid_over: 'More arrived than requested.',
  paid_late: 'The money arrived after expiry.',
  paid_after_cancel: 'A payment arrived after the cancellation and is being refunded.',
  unexpected_deposit: 'Tokens arrived when none were expected, and are being returned.',
  name_mismatch: 'The name that the bank reports does not match the given name.',
  payer_unclear: 'It is not clear that the payment came from the given account.',
  duplicate_claim: 'The payment matches more than one buy.',
  wallet_missing: 'The payment arrived, but no wallet is set.',
  account_unknown: 'The bank does not know the destination account.',
  wallet_forbidden: 'The wallet cannot be paid.',
  amount_not_representable: 'The network cannot represent the amount exactly.',
  send_failed: 'The network permanently refused the transfer.',
  payout_failed: 'The bank permanently refused the payout.',
  payout_returned: 'The bank returned the payout.',
  credit_reversed: 'The bank reversed the payment.',
  refund_decided: 'The operator decided to refund the transaction.',
  changed: 'The transaction changed.',
} as const;

export type PublicCode = keyof typeof PUBLIC_SENTENCES;

/**
 * The public code of each exception. `under_review` also covers ordinary limits, so the code does not reveal that a transaction
 * is screened.
 */
export const EXCEPTION_CODES = {
  paid_partial: 'paid_partial',
  paid_over: 'paid_over',
  paid_late: 'paid_late',
  paid_after_cancel: 'paid_after_cancel',
  unexpected_deposit: 'unexpected_deposit',
  name_mismatch: 'name_mismatch',
  // The business reads an ordinary code, because a forger must not learn that a name looks forged.
  suspicious_name: 'name_mismatch',
  payer_unclear: 'payer_unclear',
  duplicate_claim: 'duplicate_claim',
  wallet_missing: 'wallet_missing',
  account_unknown: 'account_unknown',
  business_frozen: 'under_review',
  screening_hit: 'under_review',
  limit_transaction: 'under_review',
  limit_day: 'under_review',
  limit_month: 'under_review',
  limit_reached: 'under_review',
  wallet_forbidden: 'wallet_forbidden',
  amount_not_representable: 'amount_not_representable',
  send_failed: 'send_failed',
  payout_failed: 'payout_failed',
  payout_returned: 'payout_returned',
  credit_reversed: 'credit_reversed',
  refund_decided: 'refund_decided',
} as const satisfies Readonly<Record<TransactionException, PublicCode>>;

export const PUBLIC_EXCEPTIONS: readonly PublicCode[] = [...new Set(Object.values(EXCEPTION_CODES))];

/**
 * The reasons of steps, and the reasons that a reviewer chooses, are public. The type check fails if a reason has no sentence.
 */
const REASON_SENTENCES: Readonly<Record<StepReason | PublicReason, string>> = PUBLIC_SENTENCES;
const REASONS_PUBLIC_AS_STORED: ReadonlySet<string> = new Set<keyof typeof REASON_SENTENCES>([
  ...STEP_REASONS,
  ...PUBLIC_REASONS,
]);

export interface PublicReasonText {
  readonly code: PublicCode;
  readonly sentence: string;
}

/**
 * In some records, an earlier version stored the text of a person or a bank as the reason. For these records, only the code of
 * the state is shown.
 */
const CODE_BY_STATE: Readonly<Partial<Record<TransactionState, PublicCode>>> = {
  paid: 'payment_found',
  on_hold: 'under_review',
  sending: 'send_repeated',
  cancelled: 'cancelled_by_business',
  rejected: 'declined',
  payout_failed: 'payout_failed',
};

/**
 * `stored`: the reason of a timeline line, or the reason of a transaction's state. A reason that is not in the tables stays
 * private.
 */
export function toPublicReason(stored: string, to: TransactionState): PublicReasonText {
  const code = findPublicCode(stored.replaceAll(' ', '_')) ?? CODE_BY_STATE[to] ?? 'changed';
  return { code, sentence: PUBLIC_SENTENCES[code] };
}

function findPublicCode(reason: string): PublicCode | undefined {
  if (Object.hasOwn(EXCEPTION_CODES, reason)) return EXCEPTION_CODES[reason as TransactionException];
  return REASONS_PUBLIC_AS_STORED.has(reason) ? (reason as keyof typeof REASON_SENTENCES) : undefined;
}

/** The public code of an exception. Null: there is no exception, or the stored exception is over. */
export function toPublicException({
  exception,
  state,
}: {
  readonly exception: TransactionException | null;
  readonly state: TransactionState;
}): PublicCode | null {
  return exception === null || isExceptionOver(exception, state) ? null : EXCEPTION_CODES[exception];
}

/**
 * A warning to the business about a value that it sent. Flags about names are only for reviewers, because a forger must not
 * read them.
 */
export interface PublicWarning {
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

const WARNINGS: Readonly<Record<string, PublicWarning>> = {
  check_digit: {
    code: 'check_digit',
    field: 'account_number',
    message:
      'account_number does not have the check digit of an account at this bank. Check the number and the bank with the customer.',
  },
  bank_unknown: {
    code: 'bank_unknown',
    field: 'bank_name',
    message: 'bank_name is not in the bank directory. Use the full name of the bank.',
  },
  account_not_found: {
    code: 'account_not_found',
    field: 'account_number',
    message:
      'The bank says that it has no account with this number. Check the number and the bank with the customer.',
  },
  account_name_differs: {
    code: 'account_name_differs',
    field: 'account_name',
    message:
      'account_name is not the name that the bank has for this account. Before the payout an operator will have to review it.',
  },
};

/** `flags`: the flags of the transaction and of the account lookup. */
export function toPublicWarnings(flags: readonly string[]): readonly PublicWarning[] {
  return flags.flatMap((flag) => (Object.hasOwn(WARNINGS, flag) ? [WARNINGS[flag]!] : []));
}
