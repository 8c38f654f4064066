// Describes for the operator why a record waits for people. A business reads other texts (domain/records/public-reasons.ts),
// because it must not learn that it is screened.
import type { CaseKind } from '../records/change.ts';
import type { CreditException, DepositException } from '../records/exceptions.ts';
import { PUBLIC_SENTENCES } from '../records/public-reasons.ts';

const OPERATOR_TEXTS = {
  paid_partial: PUBLIC_SENTENCES.paid_partial,
  paid_over: PUBLIC_SENTENCES.paid_over,
  paid_late: PUBLIC_SENTENCES.paid_late,
  paid_after_cancel: PUBLIC_SENTENCES.paid_after_cancel,
  unexpected_deposit: PUBLIC_SENTENCES.unexpected_deposit,
  name_mismatch: PUBLIC_SENTENCES.name_mismatch,
  suspicious_name: 'A name contains look-alike or invisible letters.',
  payer_unclear: PUBLIC_SENTENCES.payer_unclear,
  duplicate_claim: PUBLIC_SENTENCES.duplicate_claim,
  wallet_missing: PUBLIC_SENTENCES.wallet_missing,
  account_unknown: PUBLIC_SENTENCES.account_unknown,
  business_frozen: 'The business is frozen.',
  screening_hit: 'A name, an account or a wallet is on the screening list.',
  limit_transaction: 'It exceeds the limit per transaction.',
  limit_day: 'It exceeds the daily limit.',
  limit_month: 'It exceeds the monthly limit.',
  limit_reached: 'A limit is reached.',
  wallet_forbidden: PUBLIC_SENTENCES.wallet_forbidden,
  amount_not_representable: PUBLIC_SENTENCES.amount_not_representable,
  send_failed: PUBLIC_SENTENCES.send_failed,
  payout_failed: PUBLIC_SENTENCES.payout_failed,
  payout_returned: PUBLIC_SENTENCES.payout_returned,
  credit_reversed: PUBLIC_SENTENCES.credit_reversed,
  refund_decided: 'Two people decided to refund it.',
  no_claim: 'No open buy matches this payment.',
  other_account: 'The payer’s name matches an open buy of this amount, but the account does not.',
  ambiguous: 'Several open buys match this payment equally well.',
  wrong_token: 'It is a different token from ours.',
  unattributed: 'It matches no sell.',
  too_small: 'It is worth less than a kobo.',
  reorganised: 'The network dropped it.',
  arrived_short: 'Its address holds less than the token’s records say.',
} as const satisfies Readonly<Record<CreditException | DepositException, string>>;

export const CASE_TEXTS: Readonly<Record<CaseKind, string>> = {
  report_left_over: 'Another source reports money that the account’s own source does not.',
  reports_disagree: 'Two reports of one transfer disagree on its amount, payer or account.',
  reconciliation_difference: 'The books and the bank differ, and nothing explains it.',
  credit_not_found: 'A bank no longer finds a payment that it had settled. Nothing was booked.',
  deposit_short: 'A deposit address holds less than the token’s records say. Nothing was credited.',
  credit_reversed: 'The bank reversed a payment after tokens or a refund had been sent for it.',
  payout_returned: 'The bank returned a payout or a refund that it had paid.',
  payout_paid_late: 'A bank paid a payout or a refund that it had refused.',
};

export const SHORT_DEPOSIT_ADVICE =
  'Check the transaction and the balance of the address in an explorer, and ask the issuer. If the token charges a fee now, pause ' +
  'movements: customers would receive less than they bought. The deposit counts automatically once the address holds all of it. ' +
  'Otherwise agree with the customer outside the service, and close the case as explained.';

/** A code without a sentence is shown unchanged. */
export function describeWaitReason(code: string | null): string | null {
  if (code === null) return null;
  const own: Readonly<Record<string, string>> = OPERATOR_TEXTS;
  const ofSteps: Readonly<Record<string, string>> = PUBLIC_SENTENCES;
  return own[code] ?? ofSteps[code] ?? code;
}
