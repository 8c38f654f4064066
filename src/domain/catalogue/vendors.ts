// Vendors: the bank of an account, the account that a credit belongs to, and when an account counts as silent. A bank account has
// one account in the ledger, in whatever way a bank writes it: a credit that names no bank, or spells it in another way, belongs
// to the vendor's account with that number.
import type { BankDirectory } from './banks.ts';

/** The account of a vendor, active or not. */
export interface VendorAccount {
  readonly number: string;
  readonly bankCode: string;
  readonly active: boolean;
}

/** The code of the bank, or the bank's own text if no vendor's account has the number. */
export function creditedBank(
  accounts: readonly VendorAccount[],
  directory: BankDirectory,
  reported: { readonly number: string; readonly bankCode: string | null },
): string | null {
  const own = accounts.filter(({ number }) => number === reported.number);
  const known = reported.bankCode === null ? undefined : directory.resolve(reported.bankCode)?.code;
  // Another bank may have an account with the same number.
  if (known !== undefined) return known;
  if (own.some(({ bankCode }) => bankCode === reported.bankCode)) return reported.bankCode;
  return findSoleBank(own) ?? findSoleBank(own.filter(({ active }) => active)) ?? reported.bankCode;
}

function findSoleBank(accounts: readonly VendorAccount[]): string | undefined {
  const [code, ...others] = new Set(accounts.map(({ bankCode }) => bankCode));
  return others.length === 0 ? code : undefined;
}

/**
 * The activity of a vendor's account. An account is silent when buys name it for payment and no credit has arrived for
 * improbably long.
 */
export interface VendorActivity {
  readonly vendorId: string;
  /** The last credit on the account; null: none in the observed period. */
  readonly lastCreditAtMs: number | null;
  /** The time from which claims count: the last credit, or the time when a person put the vendor back on the list. */
  readonly sinceMs: number | null;
  /** The claims that ended unpaid since then, and the number of their businesses. */
  readonly unpaid: number;
  readonly businesses: number;
  /** Figures for the period before: claims that were paid, all claims that ended, and the businesses that paid. */
  readonly paidBefore: number;
  readonly endedBefore: number;
  readonly payersBefore: number;
}

export interface SilencePolicy {
  readonly silentMs: number;
  readonly claims: number;
}

/** One business alone cannot remove an account that others use from the list. */
const MIN_BUSINESSES = 2;
/** The odds that so many claims stay unpaid by chance must be below one in this number. */
const IMPROBABLE_ONE_IN = 1_000n;

export function isSilentVendor(vendor: VendorActivity, policy: SilencePolicy, nowMs: number): boolean {
  const { lastCreditAtMs, sinceMs, unpaid, businesses, paidBefore, endedBefore, payersBefore } = vendor;
  if (lastCreditAtMs === null || sinceMs === null || nowMs - sinceMs < policy.silentMs) return false;
  if (unpaid < policy.claims || businesses < Math.min(MIN_BUSINESSES, payersBefore)) return false;
  return isImprobable(BigInt(unpaid), BigInt(paidBefore), BigInt(endedBefore));
}

/** Whether (share unpaid before) ^ (unpaid now) is below one in a thousand. */
function isImprobable(unpaid: bigint, paidBefore: bigint, endedBefore: bigint): boolean {
  if (paidBefore === 0n) return false;
  return (endedBefore - paidBefore) ** unpaid * IMPROBABLE_ONE_IN < endedBefore ** unpaid;
}
