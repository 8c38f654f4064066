// Finds the bank of a vendor's account and the account that a credit belongs to, and decides when an account counts as silent.
// A bank account has one ledger account, however a bank writes it. A credit without a known bank belongs to the vendor's
// account with that number.
import type { BankDirectory } from './banks.ts';

export interface VendorAccount {
  readonly number: string;
  readonly bankCode: string;
  readonly active: boolean;
}

/** The code of the credited bank. If the bank cannot be determined, the text that was reported for the bank. */
export function creditedBank(
  accounts: readonly VendorAccount[],
  directory: BankDirectory,
  reported: { readonly number: string; readonly bankCode: string | null },
): string | null {
  const own = accounts.filter(({ number }) => number === reported.number);
  const known = reported.bankCode === null ? undefined : directory.resolve(reported.bankCode)?.code;
  // A known reported bank is used even if a vendor's account has this number, because another bank may have the same number.
  if (known !== undefined) return known;
  if (own.some(({ bankCode }) => bankCode === reported.bankCode)) return reported.bankCode;
  return findSoleBank(own) ?? findSoleBank(own.filter(({ active }) => active)) ?? reported.bankCode;
}

function findSoleBank(accounts: readonly VendorAccount[]): string | undefined {
  const [code, ...others] = new Set(accounts.map(({ bankCode }) => bankCode));
  return others.length === 0 ? code : undefined;
}

/**
 * The activity of a vendor's account. The account is silent if buys name it for payment and no credit has arrived for an
 * improbably long time.
 */
export interface VendorActivity {
  readonly vendorId: string;
  /** The time of the last credit on the account. Null: no credit arrived in the observed period. */
  readonly lastCreditAtMs: number | null;
  /**
   * Claims count from this time. It is the time of the last credit, or the time when a person put the vendor back on the list.
   */
  readonly sinceMs: number | null;
  /** The number of claims that ended unpaid since `sinceMs`, and the number of businesses that made these claims. */
  readonly unpaid: number;
  readonly businesses: number;
  /** Figures for the time before `sinceMs`: the number of paid claims, of all ended claims, and of businesses that paid. */
  readonly paidBefore: number;
  readonly endedBefore: number;
  readonly payersBefore: number;
}

export interface SilencePolicy {
  readonly silentMs: number;
  readonly claims: number;
}

/** An account that several businesses use cannot be removed from the list because of one business alone. */
const MIN_BUSINESSES = 2;
/** An account is silent only if the probability of so many unpaid claims is below one in this number. */
const IMPROBABLE_ONE_IN = 1_000n;

export function isSilentVendor(vendor: VendorActivity, policy: SilencePolicy, nowMs: number): boolean {
  const { lastCreditAtMs, sinceMs, unpaid, businesses, paidBefore, endedBefore, payersBefore } = vendor;
  if (lastCreditAtMs === null || sinceMs === null || nowMs - sinceMs < policy.silentMs) return false;
  if (unpaid < policy.claims || businesses < Math.min(MIN_BUSINESSES, payersBefore)) return false;
  return isImprobable(BigInt(unpaid), BigInt(paidBefore), BigInt(endedBefore));
}

/**
 * Whether so many unpaid claims are improbable. The earlier share of unpaid claims, raised to the number of unpaid claims now,
 * must be below one in a thousand.
 */
function isImprobable(unpaid: bigint, paidBefore: bigint, endedBefore: bigint): boolean {
  if (paidBefore === 0n) return false;
  return (endedBefore - paidBefore) ** unpaid * IMPROBABLE_ONE_IN < endedBefore ** unpaid;
}
