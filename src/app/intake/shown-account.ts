// The account of a bank refund as a business may read it: one that the business did not give may be a stranger's.
import { compareNames, readName } from '../../domain/matching/name-match.ts';
import type { AccountDestination } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { ERASED, isErased } from '../../domain/values/erased.ts';

export interface ShownAccount {
  readonly accountNumber: string;
  readonly accountName: string | null;
}

/** Of another account only its end is shown. The same ten digits exist at several banks. */
export function shownAccount(transaction: Transaction, account: AccountDestination): ShownAccount {
  const { accountNumber, bankCode } = account;
  if (isErased(accountNumber)) return { accountNumber: ERASED, accountName: ERASED };
  const own = accountNumber === transaction.accountNumber && bankCode === transaction.bankCode;
  return {
    accountNumber: own ? accountNumber : `******${accountNumber.slice(-4)}`,
    accountName: own && isOwnName(transaction, account) ? account.accountName : null,
  };
}

/** The owner's real name is not for a business that gave another one. */
function isOwnName({ accountName }: Transaction, { accountName: owner }: AccountDestination): boolean {
  if (accountName === null || owner === null) return true;
  return compareNames(readName(accountName), readName(owner)).verdict === 'strong';
}
