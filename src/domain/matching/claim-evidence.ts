// Weighs the evidence for and against the assumption that a bank credit pays one claim. A missing name, bank or number is never
// evidence: it neither identifies a payer nor contradicts one.
import type { Contradiction } from '../records/match-decision.ts';
import type { TransactionState } from '../records/states.ts';
import type { ClaimFacts, CreditFacts } from './facts.ts';
import type { ParsedName } from './name-match.ts';
import {
  type AccountComparison,
  type BankComparison,
  compareAccounts,
  compareBanks,
  comparePayerName,
  isAccountNarrated,
  isClaimNamedIn,
  isFullPayerAccount,
  type PayerNameComparison,
} from './payer.ts';
import type { MatchingRules } from './rules.ts';

// The time of a payment, as exactly as the bank reports it. A value date without a time gives only the day. A payment is never
// later than the arrival of its report.
const DAY_MS = 86_400_000;
/** Lagos is an hour ahead of UTC all year. */
const LAGOS_MS = 3_600_000;

export interface PaymentInterval {
  readonly fromMs: number;
  readonly untilMs: number;
}

function findPaymentInterval(
  { valueAtMs, receivedAtMs }: Pick<CreditFacts, 'valueAtMs' | 'receivedAtMs'>,
  { datesAreDays }: Pick<MatchingRules, 'datesAreDays'>,
): PaymentInterval {
  const startMs = datesAreDays ? findDayStart(valueAtMs) : null;
  const fromMs = Math.min(startMs ?? valueAtMs, receivedAtMs);
  return { fromMs, untilMs: startMs === null ? fromMs : Math.min(startMs + DAY_MS - 1, receivedAtMs) };
}

/**
 * The start of the day in Lagos for a value date without a time, that is, for midnight in Lagos or in UTC. Null: the value date
 * has a time.
 */
function findDayStart(valueAtMs: number): number | null {
  const isMidnight = (offsetMs: number) => (((valueAtMs + offsetMs) % DAY_MS) + DAY_MS) % DAY_MS === 0;
  if (isMidnight(LAGOS_MS)) return valueAtMs;
  return isMidnight(0) ? valueAtMs - LAGOS_MS : null;
}

export interface ClaimEvidence {
  readonly claim: ClaimFacts;
  /** `completes`: the payment is exactly the missing amount of a partly paid claim. */
  readonly amount: 'exact' | 'completes' | 'partial' | 'over';
  /** The ids of earlier partial payments of the claim that count together with this payment. */
  readonly with: readonly string[];
  /** The payer or the narration points to exactly this claim, not only to similar claims. */
  readonly identified: boolean;
  /**
   * The payer has the name in the claim but uses another account. Such a claim is shown to a person, and never matched
   * automatically.
   */
  readonly elsewhere: boolean;
  /** The contradiction because of which a person must decide. Null: there is no contradiction. */
  readonly against: Contradiction | null;
  readonly referenced: boolean;
  readonly nameStrong: boolean;
  readonly bankEqual: boolean;
  readonly inWindow: boolean;
  readonly late: boolean;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** The weight of each reason in the score. Reports list the reasons in this order. */
export const REASON_WEIGHTS = {
  amount_exact: 100,
  amount_completes: 90,
  amount_partial: 0,
  amount_over: 0,
  reference_in_narration: 50,
  account_equal: 40,
  account_suffix: 15,
  account_in_narration: 10,
  account_different: -40,
  name_strong: 20,
  name_weak: 5,
  name_different: -30,
  name_suspicious: -30,
  bank_equal: 5,
  bank_different: -20,
  late: -2,
  outside_window: -100,
};
export type MatchReason = keyof typeof REASON_WEIGHTS;

const OPEN_STATES: readonly TransactionState[] = ['awaiting_wallet', 'awaiting_payment', 'expired'];

/**
 * Weighs the evidence for one claim. `payer` is the parsed payer name of the credit. Null: nothing links the credit to the
 * claim, or only the amount does.
 */
export function weighClaim(
  credit: CreditFacts,
  payer: ParsedName,
  claim: ClaimFacts,
  { windowMs, rules }: { readonly windowMs: number; readonly rules: MatchingRules },
): ClaimEvidence | null {
  if (!OPEN_STATES.some((state) => state === claim.state)) return null;
  if (claim.receivedMinor > 0n && !rules.topUps) return null;
  const account = compareAccounts(credit.payerAccount, claim.accountNumber);
  const name = comparePayerName(payer, claim);
  const bank = compareBanks(credit.payerBankCode, claim.bankCode);
  const referenced = isClaimNamedIn(credit.narration, claim);
  const { amount, together } = compareAmounts(credit.amountMinor, claim, rules);

  const masked = account === 'suffix' && name === 'strong';
  const narrated =
    rules.narratedAccounts &&
    account === 'unknown' &&
    isAccountNarrated(credit.narration, claim.accountNumber);
  const identified =
    referenced ||
    account === 'equal' ||
    masked ||
    (narrated && name === 'strong' && (amount === 'exact' || amount === 'completes'));
  const hinted = amount === 'exact' && (account === 'suffix' || (account === 'unknown' && name === 'strong'));
  const elsewhere =
    rules.otherAccounts &&
    !identified &&
    amount === 'exact' &&
    name === 'strong' &&
    account === 'different' &&
    isFullPayerAccount(credit.payerAccount);
  const paid = findPaymentInterval(credit, rules);
  const inWindow =
    claim.createdAtMs - paid.untilMs <= windowMs && paid.fromMs - claim.createdAtMs <= windowMs;
  if (!identified && !((hinted || elsewhere) && inWindow)) return null;
  const late = paid.fromMs > claim.expiresAtMs;

  const reasons = listReasons([
    `amount_${amount}`,
    referenced && 'reference_in_narration',
    account !== 'unknown' && `account_${account}`,
    narrated && 'account_in_narration',
    name !== 'not_given' && `name_${name}`,
    bank !== 'unknown' && `bank_${bank}`,
    late && 'late',
    !inWindow && 'outside_window',
  ]);
  return {
    claim,
    amount,
    with: together,
    identified,
    elsewhere,
    against: findContradiction(account, name, bank),
    referenced,
    nameStrong: name === 'strong',
    bankEqual: bank === 'equal',
    inWindow,
    late,
    score: reasons.reduce((sum, reason) => sum + REASON_WEIGHTS[reason], 0),
    reasons,
  };
}

function listReasons(reasons: readonly (MatchReason | false)[]): MatchReason[] {
  return reasons.filter((reason) => reason !== false);
}

function findContradiction(
  account: AccountComparison,
  name: PayerNameComparison,
  bank: BankComparison,
): Contradiction | null {
  if (name === 'suspicious') return 'suspicious_name';
  if (name === 'different') return 'name_mismatch';
  // The same account number of ten digits can exist at several banks.
  return account === 'different' || bank === 'different' ? 'payer_unclear' : null;
}

/**
 * Compares the payment with the amount of the claim. If a part was paid before, the payment is compared with the missing
 * amount.
 */
function compareAmounts(
  paidMinor: bigint,
  { amountMinor, receivedMinor, parts }: ClaimFacts,
  { topUps }: MatchingRules,
): { readonly amount: ClaimEvidence['amount']; readonly together: readonly string[] } {
  const missingMinor = amountMinor - receivedMinor;
  const waitingMinor = parts.reduce((sum, part) => sum + part.amountMinor, 0n);
  // A payment of the whole missing amount pays the claim without the earlier parts, so people return those parts.
  if (!topUps || parts.length === 0 || paidMinor >= missingMinor || waitingMinor >= missingMinor) {
    const amount = classifyAmount(paidMinor, missingMinor);
    return { amount: amount === 'exact' && receivedMinor > 0n ? 'completes' : amount, together: [] };
  }
  const amount = classifyAmount(paidMinor, missingMinor - waitingMinor);
  const together = amount === 'partial' ? [] : parts.map(({ creditId }) => creditId);
  return { amount: amount === 'exact' ? 'completes' : amount, together };
}

function classifyAmount(paidMinor: bigint, askedMinor: bigint): 'exact' | 'partial' | 'over' {
  if (paidMinor === askedMinor) return 'exact';
  return paidMinor < askedMinor ? 'partial' : 'over';
}
