// Why a record waits for people, as the operator reads it. A business reads other words (domain/records/public-words.ts),
// because it must not learn that it is screened.
import type { CaseKind } from '../records/change.ts';
import type { CreditException, DepositException } from '../records/exceptions.ts';
import { SENTENCES } from '../records/public-words.ts';

const OPERATOR_WORDS = {
  paid_partial: SENTENCES.paid_partial,
  paid_over: SENTENCES.paid_over,
  paid_late: SENTENCES.paid_late,
  paid_after_cancel: SENTENCES.paid_after_cancel,
  unexpected_deposit: SENTENCES.unexpected_deposit,
  name_mismatch: SENTENCES.name_mismatch,
  suspicious_name: 'A name has letters that look like others, or letters that cannot be seen.',
  payer_unclear: SENTENCES.payer_unclear,
  duplicate_claim: SENTENCES.duplicate_claim,
  wallet_missing: SENTENCES.wallet_missing,
  account_unknown: SENTENCES.account_unknown,
  business_frozen: 'The business is frozen.',
  screening_hit: 'A name, an account or a wallet is on the screening list.',
  limit_transaction: 'It is over the limit of one transaction.',
  limit_day: 'It is over the limit of the day.',
  limit_month: 'It is over the limit of the month.',
  limit_reached: 'A limit is reached.',
  wallet_forbidden: SENTENCES.wallet_forbidden,
  amount_not_representable: SENTENCES.amount_not_representable,
  send_failed: SENTENCES.send_failed,
  payout_failed: SENTENCES.payout_failed,
  payout_returned: SENTENCES.payout_returned,
  credit_reversed: SENTENCES.credit_reversed,
  refund_decided: 'Two people decided to refund it.',
  no_claim: 'No open buy fits this payment.',
  other_account: 'The payer has the name of an open buy of this amount, and pays from another account.',
  ambiguous: 'Several open buys fit this payment equally well.',
  wrong_token: 'It is another token than ours.',
  unattributed: 'It belongs to no sell.',
  too_small: 'It is worth less than a kobo.',
  reorganised: 'The network dropped it.',
  arrived_short: 'Less lies at its address than came there by the token’s own records.',
} as const satisfies Readonly<Record<CreditException | DepositException, string>>;

/** What happened, of each kind of case. */
export const CASE_WORDS: Readonly<Record<CaseKind, string>> = {
  report_left_over: 'Another source reports money that the account’s own source does not.',
  reports_disagree: 'Two reports of one transfer disagree on its amount, payer or account.',
  reconciliation_difference: 'The books and the bank differ, and nothing explains it.',
  credit_not_found: 'A bank no longer finds a payment that it had settled. Nothing was booked.',
  deposit_short:
    'Less lies at a deposit address than came there by the token’s own records. Nothing was credited.',
  credit_reversed: 'The bank took a payment back after tokens or a refund had been sent for it.',
  payout_returned: 'A payout or a refund came back after it had been made.',
  payout_paid_late: 'A bank made a payout or a refund after it had said that it would not.',
};

/** What people can do about a deposit that did not arrive whole. */
export const SHORT_NEXT =
  'Look at the transaction and at the balance of the address in an explorer, and ask the issuer. If the token charges a fee now, pause ' +
  'movements: customers would receive less than they bought. When the address holds all of it, the deposit counts by itself. ' +
  'Otherwise agree with the customer outside the service, and close the case as explained.';

/** A code that has no sentence is shown as it is, and never hidden. */
export function whyItWaits(code: string | null): string | null {
  if (code === null) return null;
  const own: Readonly<Record<string, string>> = OPERATOR_WORDS;
  const ofSteps: Readonly<Record<string, string>> = SENTENCES;
  return own[code] ?? ofSteps[code] ?? code;
}
