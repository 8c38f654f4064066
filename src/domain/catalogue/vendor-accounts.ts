// Which bank account a credit came to. One bank account has one account in the ledger, however a bank writes it: a credit that
// names no bank, or names it in another way, is on the vendor's account with that number.
import type { BankDirectory } from './banks.ts';

/** Of a vendor, active or not. */
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
  return onlyOne(own) ?? onlyOne(own.filter(({ active }) => active)) ?? reported.bankCode;
}

function onlyOne(accounts: readonly VendorAccount[]): string | undefined {
  const [code, ...others] = new Set(accounts.map(({ bankCode }) => bankCode));
  return others.length === 0 ? code : undefined;
}
