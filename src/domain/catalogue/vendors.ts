// Vendors: the bank of an account, and when an account counts as silent. Which bank account a credit came to. One bank account
// has one account in the ledger, however a bank writes it: a credit that names no bank, or names it in another way, is on the
// vendor's account with that number.
import type { BankDirectory } from './banks.ts';

/** The account of a vendor, active or not. */
export interface VendorAccount {
  readonly number: string;
  readonly bankCode: string;
  readonly active: boolean;
}

/** The code of the bank, or what the bank wrote where no vendor's account explains it. */
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
 * A vendor's account that stopped crediting: buys name it for payment, and nothing has come for so long
 * that it is not chance.
 */
export interface VendorActivity {
  readonly vendorId: string;
  /** The last credit on the account; null: none in the time that is looked at. */
  readonly lastCreditAtMs: number | null;
  /** The time from which claims count: the last credit, or the time when a person put the vendor back on the list. */
  readonly sinceMs: number | null;
  /** Claims that ended unpaid since then, and of how many businesses. */
  readonly unpaid: number;
  readonly businesses: number;
  /** Figures of the time before: claims that were paid, all claims that ended, and the businesses that paid. */
  readonly paidBefore: number;
  readonly endedBefore: number;
  readonly payersBefore: number;
}

export interface SilencePolicy {
  readonly silentMs: number;
  readonly claims: number;
}

/** One business alone cannot take an account off the list that others use. */
const MIN_BUSINESSES = 2;
/** The odds against as many claims staying unpaid by chance. */
const IMPROBABLE_ONE_IN = 1_000n;

export function isSilentVendor(vendor: VendorActivity, policy: SilencePolicy, nowMs: number): boolean {
  const { lastCreditAtMs, sinceMs, unpaid, businesses, paidBefore, endedBefore, payersBefore } = vendor;
  if (lastCreditAtMs === null || sinceMs === null || nowMs - sinceMs < policy.silentMs) return false;
  if (unpaid < policy.claims || businesses < Math.min(MIN_BUSINESSES, payersBefore)) return false;
  return isImprobable(BigInt(unpaid), BigInt(paidBefore), BigInt(endedBefore));
}

/** (share unpaid before) ^ (unpaid now) is below one in a thousand. */
function isImprobable(unpaid: bigint, paidBefore: bigint, endedBefore: bigint): boolean {
  if (paidBefore === 0n) return false;
  return (endedBefore - paidBefore) ** unpaid * IMPROBABLE_ONE_IN < endedBefore ** unpaid;
}
