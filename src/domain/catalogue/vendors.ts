// Vendors: the bank of an account, the account that a credit belongs to, and when an account counts as silent. A bank account has
// one account in the ledger, however a bank writes it. A credit that names no bank, or spells the bank differently, belongs to
// the vendor's account with that number.
import type { BankDirectory } from './banks.ts';

/** The account of a vendor, active or not. */
export interface VendorAccount {
  readonly number: string;
  readonly bankCode: string;
  readonly active: boolean;
}

/** The code of the bank; if it cannot be determined, the text that the bank reported. */
export function creditedBank(
  accounts: readonly VendorAccount[],
  directory: BankDirectory,
  reported: { readonly number: string; readonly bankCode: string | null },
): string | null {
  const own = accounts.filter(({ number }) => number === reported.number);
  const known = reported.bankCode === null ? undefined : directory.resolve(reported.bankCode)?.code;
  // A reported bank is used even if a vendor's account has this number, because another bank may have the same number.
  if (known !== undefined) return known;
  if (own.some(({ bankCode }) => bankCode === reported.bankCode)) return reported.bankCode;
  return findSoleBank(own) ?? findSoleBank(own.filter(({ active }) => active)) ?? reported.bankCode;
}

function findSoleBank(accounts: readonly VendorAccount[]): string | undefined {
  const [code, ...others] = new Set(accounts.map(({ bankCode }) => bankCode));
  return others.length === 0 ? code : undefined;
}

/**
 * The activity of a vendor's account. An account is silent when buys name it for payment and no credit has arrived for an
 * improbably long time.
 */
export interface VendorActivity {
  readonly vendorId: string;
  /** The last credit on the account; null: none in the observed period. */
  readonly lastCreditAtMs: number | null;
  /** The time from which claims count: the last credit, or the time when a person put the vendor back on the list. */
  readonly sinceMs: number | null;
  /** The number of claims that ended unpaid since then, and the number of businesses that made them. */
  readonly unpaid: number;
  readonly businesses: number;
  /** Figures for the earlier period: the paid claims, all claims that ended, and the businesses that paid. */
  readonly paidBefore: number;
  readonly endedBefore: number;
  readonly payersBefore: number;
}

export interface SilencePolicy {
  readonly silentMs: number;
  readonly claims: number;
}

/** One business alone cannot remove from the list an account that others use. */
const MIN_BUSINESSES = 2;
/** The probability that so many claims stay unpaid by chance must be below one in this number. */
const IMPROBABLE_ONE_IN = 1_000n;

export function isSilentVendor(vendor: VendorActivity, policy: SilencePolicy, nowMs: number): boolean {
  const { lastCreditAtMs, sinceMs, unpaid, businesses, paidBefore, endedBefore, payersBefore } = vendor;
  if (lastCreditAtMs === null || sinceMs === null || nowMs - sinceMs < policy.silentMs) return false;
  if (unpaid < policy.claims || businesses < Math.min(MIN_BUSINESSES, payersBefore)) return false;
  return isImprobable(BigInt(unpaid), BigInt(paidBefore), BigInt(endedBefore));
}

/** Whether the earlier share of unpaid claims, raised to the number of unpaid claims now, is below one in a thousand. */
function isImprobable(unpaid: bigint, paidBefore: bigint, endedBefore: bigint): boolean {
  if (paidBefore === 0n) return false;
  return (endedBefore - paidBefore) ** unpaid * IMPROBABLE_ONE_IN < endedBefore ** unpaid;
}
