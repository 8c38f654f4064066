// What speaks for and against one claim being the one that a bank credit pays. Silence is never evidence: a name,
// bank or number that was not given neither identifies a payer nor contradicts one.

import type { Contradiction } from '../records/match-decision.ts';
import type { State } from '../records/states.ts';
import type { ClaimFacts, CreditFacts } from './facts.ts';
import {
  type AccountLink,
  type BankLink,
  compareAccounts,
  compareBanks,
  isNamedIn,
  judgeName,
  type NameLink,
} from './payer.ts';

export interface Evidence {
  readonly claim: ClaimFacts;
  readonly amount: 'exact' | 'partial' | 'over';
  /** The payer or the payer's own words point at this claim, and not merely at one like it. */
  readonly identified: boolean;
  /** Why a person must look even so. */
  readonly against: Contradiction | null;
  readonly referenced: boolean;
  readonly nameStrong: boolean;
  readonly bankEqual: boolean;
  readonly inWindow: boolean;
  readonly late: boolean;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** Each reason with its weight in the score, in the order they are reported. */
const WEIGHTS = {
  amount_exact: 100,
  amount_partial: 0,
  amount_over: 0,
  reference_in_narration: 50,
  account_equal: 40,
  account_suffix: 15,
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
export type Reason = keyof typeof WEIGHTS;

const OPEN_STATES: readonly State[] = ['awaiting_wallet', 'awaiting_payment', 'expired'];

/** Null when nothing but the amount, or not even that, links the two. */
export function weighClaim(credit: CreditFacts, claim: ClaimFacts, windowMs: number): Evidence | null {
  if (!OPEN_STATES.some((state) => state === claim.state)) return null;
  const account = compareAccounts(credit.payerAccount, claim.accountNumber);
  const name = judgeName(credit, claim);
  const bank = compareBanks(credit.payerBankCode, claim.bankCode);
  const referenced = isNamedIn(credit.narration, claim);
  const amount = compareAmounts(credit.amountMinor, claim.amountMinor);

  const masked = account === 'suffix' && name === 'strong';
  const identified = referenced || account === 'equal' || masked;
  const hinted = amount === 'exact' && (account === 'suffix' || (account === 'unknown' && name === 'strong'));
  // A value date may lie in the future, but a payment is never made after its report was received.
  const paidAtMs = Math.min(credit.valueAtMs, credit.receivedAtMs);
  const inWindow = Math.abs(paidAtMs - claim.createdAtMs) <= windowMs;
  if (!identified && !(hinted && inWindow)) return null;
  const late = paidAtMs > claim.expiresAtMs;

  const reasons = listReasons([
    `amount_${amount}`,
    referenced && 'reference_in_narration',
    account !== 'unknown' && `account_${account}`,
    name !== 'not_given' && `name_${name}`,
    bank !== 'unknown' && `bank_${bank}`,
    late && 'late',
    !inWindow && 'outside_window',
  ]);
  return {
    claim,
    amount,
    identified,
    against: findContradiction(account, name, bank),
    referenced,
    nameStrong: name === 'strong',
    bankEqual: bank === 'equal',
    inWindow,
    late,
    score: reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0),
    reasons,
  };
}

function listReasons(reasons: readonly (Reason | false)[]): Reason[] {
  return reasons.filter((reason) => reason !== false);
}

function findContradiction(account: AccountLink, name: NameLink, bank: BankLink): Contradiction | null {
  if (name === 'suspicious') return 'suspicious_name';
  if (name === 'different') return 'name_mismatch';
  // The same ten digits exist at several banks.
  return account === 'different' || bank === 'different' ? 'payer_unclear' : null;
}

function compareAmounts(paidMinor: bigint, claimedMinor: bigint): Evidence['amount'] {
  if (paidMinor === claimedMinor) return 'exact';
  return paidMinor < claimedMinor ? 'partial' : 'over';
}
