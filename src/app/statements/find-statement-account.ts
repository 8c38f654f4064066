// Finds the bank account of a statement: a vendor's account, or a payout account.
import { accountDetail } from '../../domain/ledger/chart-of-accounts.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { BackOffice } from '../../ports/back-office.ts';
import type { RailRegistry } from '../../ports/rails/rail.ts';
import { listPayoutAccounts } from '../settlement/payout-accounts.ts';

export interface StatementAccount {
  readonly mode: Mode;
  /** The name of the account in the ledger. */
  readonly account: string;
  readonly number: string;
  /** Null for a payout account. */
  readonly vendorId: string | null;
}

export interface StatementRefusal {
  readonly code: 'not_found' | 'invalid' | 'state_conflict';
  readonly message: string;
}

export interface FindStatementAccountDeps {
  readonly backOffice: Pick<BackOffice, 'listVendors'>;
  readonly bankRails: Pick<RailRegistry, 'enabled'>;
}

export async function findStatementAccount(
  { backOffice, bankRails }: FindStatementAccountDeps,
  mode: Mode,
  wanted: { readonly vendorId: string } | { readonly account: string },
): Promise<Result<StatementAccount, StatementRefusal>> {
  if ('vendorId' in wanted) {
    const vendor = (await backOffice.listVendors()).find(({ id }) => id === wanted.vendorId);
    if (vendor === undefined || vendor.mode !== mode) {
      const message = `There is no vendor ${wanted.vendorId} in ${mode} mode. To list the vendors: bin/sliproad vendors list`;
      return fail({ code: 'not_found', message });
    }
    const account = accountDetail(vendor.bankCode, vendor.number);
    return ok({ mode, account, number: vendor.number, vendorId: vendor.id });
  }
  const account = listPayoutAccounts(bankRails, mode).find((each) => each === wanted.account);
  if (account === undefined) {
    const message = `No rail of ${mode} mode pays from the account ${wanted.account}. Name one of: ${listPayoutAccounts(bankRails, mode).join(', ') || 'none'}.`;
    return fail({ code: 'not_found', message });
  }
  return ok({ mode, account, number: numberIn(account), vendorId: null });
}

/** Every account of one mode that a statement can belong to: the vendors' accounts and the payout accounts. */
export async function listStatementAccounts(
  { backOffice, bankRails }: FindStatementAccountDeps,
  mode: Mode,
): Promise<readonly StatementAccount[]> {
  const vendors = (await backOffice.listVendors()).filter((each) => each.mode === mode && each.active);
  const ofVendors = vendors.map(({ id, bankCode, number }): StatementAccount => {
    return { mode, account: accountDetail(bankCode, number), number, vendorId: id };
  });
  const known = new Set(ofVendors.map(({ account }) => account));
  const payouts = listPayoutAccounts(bankRails, mode).filter((account) => !known.has(account));
  return [
    ...ofVendors,
    ...payouts.map((account): StatementAccount => {
      return { mode, account, number: numberIn(account), vendorId: null };
    }),
  ];
}

function numberIn(account: string): string {
  return account.slice(account.lastIndexOf(':') + 1);
}

const MASKED = /(?<![*xX])[*xX]{2,}(\d{2,})$/;

/** Whether the account text of a file can refer to this account. A text without a number can refer to any account. */
export function mayNameAccount(text: string, number: string): boolean {
  const compact = compactText(text);
  const hasNumber = MASKED.test(compact) || /\d{6}/.test(compact);
  return !hasNumber || namesAccount(text, number);
}

/** Whether the text names this account. Banks mask account numbers, and write codes before or after them. */
export function namesAccount(text: string, number: string): boolean {
  const compact = compactText(text);
  const masked = MASKED.exec(compact);
  if (masked !== null) return number.endsWith(masked[1]!);
  return (compact.match(/\d{6,}/g) ?? []).some(
    (each) => each === number || (each.length > 10 && each.endsWith(number)),
  );
}

function compactText(text: string): string {
  return text.replaceAll(/[\s./-]/g, ' ').trim();
}
