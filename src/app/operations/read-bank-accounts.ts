// Reads the operator's bank accounts in one mode: the bank of each account, its purpose, and its naira according to the books.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import { ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { formatBankAccount } from '../../domain/records/naira-move.ts';
import type { BankBook } from '../../domain/review/naira-moves.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { NAIRA } from '../../domain/values/money.ts';
import type { BackOffice } from '../../ports/back-office.ts';
import type { RailStore } from '../../ports/rails/rail-store.ts';
import type { ReviewStore } from '../../ports/review-store.ts';
import type { Store } from '../../ports/store/store.ts';

export interface ReadBankAccountsDeps {
  readonly reviewDesk: Pick<ReviewStore, 'bankBooks'>;
  readonly store: Pick<Store, 'balances'>;
  readonly backOffice: Pick<BackOffice, 'listVendors'>;
  readonly railDesk: Pick<RailStore, 'list'>;
  readonly banks: BankDirectory;
}

export interface OperatorBankAccount extends BankBook {
  /** The account as people write it, for example `058:0123456789`. */
  readonly text: string;
  /** Null for the account of the simulated bank, which has no number. */
  readonly number: string | null;
  /** Null if the books do not name the bank, or if the bank is not in the directory. */
  readonly bankName: string | null;
  /** The vendors whose payments this account receives, and the rails that pay from it. */
  readonly usedBy: readonly string[];
}

export interface OperatorBankAccounts {
  readonly accounts: readonly OperatorBankAccount[];
  /** The naira that left one of the operator's accounts and have not yet arrived in another one. */
  readonly transitMinor: bigint;
}

export async function readBankAccounts(
  deps: ReadBankAccountsDeps,
  mode: Mode,
): Promise<OperatorBankAccounts> {
  const transit = ledgerKey(mode, NAIRA, 'bank_transit');
  const [books, balances, vendors, rails] = await Promise.all([
    deps.reviewDesk.bankBooks(mode),
    deps.store.balances([transit]),
    deps.backOffice.listVendors(),
    deps.railDesk.list(),
  ]);
  const accounts = books.map((book): OperatorBankAccount => {
    const [number = null, code] = book.detail === null ? [] : book.detail.split(':').toReversed();
    const usedBy =
      book.name === 'bank_in'
        ? vendors.filter((each) => each.mode === mode && each.number === number).map(({ name }) => name)
        : rails.filter((each) => each.mode === mode && each.account === book.detail).map(({ rail }) => rail);
    const bankName = code === undefined ? null : (deps.banks.resolve(code)?.name ?? null);
    return { ...book, text: formatBankAccount(book), number, bankName, usedBy: [...new Set(usedBy)] };
  });
  return { accounts, transitMinor: balances.get(transit) ?? 0n };
}
