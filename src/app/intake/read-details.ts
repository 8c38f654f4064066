// Reads the refunds, the payout and the held money of transactions for their business. A refund's destination is shown in full
// if the business itself gave the account or wallet. Any other account may belong to a stranger, so the business sees only its
// last digits.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import { compareNames, parseName } from '../../domain/matching/name-match.ts';
import {
  type AccountDestination,
  bankReference,
  type Movement,
  type MovementState,
  type WalletDestination,
} from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { ERASED, isErased } from '../../domain/values/erased.ts';
import {
  NO_TRANSACTION_EXTRAS,
  type TransactionDetails,
  type TransactionExtras,
} from '../../ports/store/reads.ts';
import type { Store } from '../../ports/store/store.ts';

/**
 * The account of a bank refund as a business may read it. If the business did not give the account, the account may belong to a
 * stranger.
 */
export interface ShownAccount {
  readonly accountNumber: string;
  readonly accountName: string | null;
}

/**
 * Returns the account as the business may see it. If the business did not give the account, only its last digits are shown. The
 * bank is compared too, because the same ten digits exist at several banks.
 */
export function maskAccount(transaction: Transaction, account: AccountDestination): ShownAccount {
  const { accountNumber, bankCode } = account;
  if (isErased(accountNumber)) return { accountNumber: ERASED, accountName: ERASED };
  const own = accountNumber === transaction.accountNumber && bankCode === transaction.bankCode;
  return {
    accountNumber: own ? accountNumber : `******${accountNumber.slice(-4)}`,
    accountName: own && hasSameOwnerName(transaction, account) ? account.accountName : null,
  };
}

/** If the business gave another name, it does not see the owner's real name. */
function hasSameOwnerName({ accountName }: Transaction, { accountName: owner }: AccountDestination): boolean {
  if (accountName === null || owner === null) return true;
  return compareNames(parseName(accountName), parseName(owner)).verdict === 'strong';
}

export interface DetailDeps {
  readonly details: TransactionDetails;
  readonly store: Store;
  readonly banks: BankDirectory;
}

export type ShownDestination =
  | {
      readonly kind: 'bank';
      readonly bankCode: string;
      readonly bankName: string | null;
      readonly accountNumber: string;
      readonly accountName: string | null;
    }
  | { readonly kind: 'wallet'; readonly network: string; readonly address: string };

export interface ShownRefund {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly state: MovementState;
  readonly network: string | null;
  /** Null while the destination is unknown. */
  readonly destination: ShownDestination | null;
  readonly txHash: string | null;
  readonly bankReference: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface ShownDetails {
  readonly refunds: readonly ShownRefund[];
  readonly payout: { readonly bankReference: string; readonly state: MovementState } | null;
  readonly heldMinor: bigint;
  readonly accountWarning: string | null;
  /** The expected time at which it is certain that a payout that a bank refused stays unpaid. */
  readonly payoutSureAtMs: number | null;
}

export const EMPTY_DETAILS: ShownDetails = {
  ...{ refunds: [], payout: null, heldMinor: 0n, accountWarning: null, payoutSureAtMs: null },
};

export interface DetailedTransaction {
  readonly transaction: Transaction;
  readonly details: ShownDetails;
}

/**
 * Returns the results in the order of the input. A page of transactions needs the same number of reads as one transaction. If a
 * transaction changed before its details were read, the service reads it again. So a response never shows a completed refund
 * next to an amount that does not include it.
 */
export async function readWithDetails(
  deps: DetailDeps,
  transactions: readonly Transaction[],
): Promise<readonly DetailedTransaction[]> {
  const { details, store, banks } = deps;
  const found = await details.detailsOf(transactions);
  const changed = transactions.filter(({ id, version }) => (found.get(id)?.version ?? version) !== version);
  if (changed.length > 0) {
    const current = await store.transactionsById(changed.map(({ id }) => id));
    return readWithDetails(
      deps,
      transactions.map((transaction) => current.get(transaction.id) ?? transaction),
    );
  }
  return transactions.map((transaction) => ({
    transaction,
    details: showDetails(banks, transaction, found.get(transaction.id) ?? NO_TRANSACTION_EXTRAS),
  }));
}

function showDetails(
  banks: BankDirectory,
  transaction: Transaction,
  { refunds, payout, heldMinor, accountWarning, payoutSureAtMs }: TransactionExtras,
): ShownDetails {
  return {
    refunds: refunds.map(({ movement, txHash }) => showRefund(banks, transaction, movement, txHash)),
    payout: payout && { bankReference: bankReference(payout.id), state: payout.state },
    ...{ heldMinor, accountWarning, payoutSureAtMs },
  };
}

function showRefund(
  banks: BankDirectory,
  transaction: Transaction,
  movement: Movement,
  txHash: string | null,
): ShownRefund {
  const { id, nairaMinor: amountMinor, state, network, attempts, createdAtMs, updatedAtMs } = movement;
  return {
    ...{ id, amountMinor, state, network, txHash, createdAtMs, updatedAtMs },
    destination: showDestination(banks, transaction, movement),
    // Before the first attempt, no bank knows the reference of the payout.
    bankReference: network === null && attempts > 0 ? bankReference(id) : null,
  };
}

function showDestination(
  banks: BankDirectory,
  transaction: Transaction,
  { network, destination }: Movement,
): ShownDestination | null {
  if (destination === null) return null;
  if (network !== null)
    return { kind: 'wallet', network, address: (destination as WalletDestination).address };
  const account = destination as AccountDestination;
  return {
    kind: 'bank',
    bankCode: account.bankCode,
    bankName: banks.resolve(account.bankCode)?.name ?? null,
    ...maskAccount(transaction, account),
  };
}
