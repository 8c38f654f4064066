// The evidence for and against the assumption that a bank credit pays one claim. A missing value is never evidence: a name, bank
// or number that was not given neither identifies a payer nor contradicts one.
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

// The time of a payment, as exactly as the bank reports it. A value date without a time gives only the day, and a payment is
// never later than the arrival of its report.
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
 * The start of the day in Lagos if the value has no time, that is, if it is midnight in Lagos or in UTC. Null: the value has a
 * time.
 */
function findDayStart(valueAtMs: number): number | null {
  const isMidnight = (offsetMs: number) => (((valueAtMs + offsetMs) % DAY_MS) + DAY_MS) % DAY_MS === 0;
  if (isMidnight(LAGOS_MS)) return valueAtMs;
  return isMidnight(0) ? valueAtMs - LAGOS_MS : null;
}

export interface ClaimEvidence {
  readonly claim: ClaimFacts;
  /** `completes`: exactly the missing amount of a partly paid claim. */
  readonly amount: 'exact' | 'completes' | 'partial' | 'over';
  /** Earlier partial payments of the claim that count together with this payment. */
  readonly with: readonly string[];
  /** The payer or the narration points to this claim itself, not only to a similar one. */
  readonly identified: boolean;
  /** The claim has the payer's name but another account: it is shown to a person, and never matched. */
  readonly elsewhere: boolean;
  /** The reason why a person must still decide. */
  readonly against: Contradiction | null;
  readonly referenced: boolean;
  readonly nameStrong: boolean;
  readonly bankEqual: boolean;
  readonly inWindow: boolean;
  readonly late: boolean;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** Each reason with its weight in the score, in the order of the report. */
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

/** `payer`: the parsed name of the credit. Returns null if nothing links the credit to the claim, or only the amount does. */
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
  // The same ten digits exist at several banks.
  return account === 'different' || bank === 'different' ? 'payer_unclear' : null;
}

/** Compares the amount with the whole claim or, if a part was paid before, with the missing amount. */
function compareAmounts(
  paidMinor: bigint,
  { amountMinor, receivedMinor, parts }: ClaimFacts,
  { topUps }: MatchingRules,
): { readonly amount: ClaimEvidence['amount']; readonly together: readonly string[] } {
  const missingMinor = amountMinor - receivedMinor;
  const waitingMinor = parts.reduce((sum, part) => sum + part.amountMinor, 0n);
  // A payment of the whole missing amount does not need the earlier parts, so people return those parts.
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
