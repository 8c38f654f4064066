// Checks directly before every payout whether the account exists and who owns it. A release by reviewers covers only the name
// that they saw. If the account no longer exists or has another name, the payout is on hold again.
import { compareNames, parseName } from '../../domain/matching/name-match.ts';
import type { AccountDestination } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { isErased } from '../../domain/values/erased.ts';
import type { RailPayouts } from '../../ports/rails/rail-payouts.ts';
import type { ReadStore } from '../../ports/store/reads.ts';

export type PayoutAccountCheck =
  | { readonly kind: 'clear' }
  /** The rail cannot say now who owns the account. The service asks again later and pays nothing until the rail has replied. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'hold';
      readonly exception: 'account_unknown' | 'name_mismatch';
      readonly evidence: Readonly<Record<string, unknown>>;
    };

/**
 * `account` is the bank account that receives the payout. This is the account that the business gave, unless reviewers chose
 * another one.
 */
export async function checkPayoutAccount(
  { store }: { readonly store: Pick<ReadStore, 'timeline'> },
  payouts: Pick<RailPayouts, 'enquireName'>,
  transaction: Transaction,
  account: AccountDestination = accountOfSell(transaction),
): Promise<PayoutAccountCheck> {
  const { bankCode, accountNumber, accountName: expectedName } = account;
  const about = transaction.id;
  // Tokens can arrive after the account number of a sell was erased. Then the payout is on hold until people ask the business
  // for an account or send the tokens back.
  if (isErased(accountNumber))
    return { kind: 'hold', exception: 'account_unknown', evidence: { note: ERASED_ACCOUNT_NOTE } };
  const owner = await payouts.enquireName({ bankCode, accountNumber, expectedName, about });
  if (owner.kind === 'unknown') return { kind: 'unknown' };
  if (owner.kind === 'no_account') return { kind: 'hold', exception: 'account_unknown', evidence: {} };
  const { verdict, score } = compareNames(parseName(owner.name), parseName(expectedName));
  if (verdict === 'strong') return { kind: 'clear' };
  if (transaction.released && (await findReviewedName(store, about)) === owner.name) return { kind: 'clear' };
  const evidence = { bank_says: owner.name, verdict, score };
  return { kind: 'hold', exception: 'name_mismatch', evidence };
}

const ERASED_ACCOUNT_NOTE =
  'the account was erased with other personal data (docs/operate/privacy.md): ask the business for the account again, or refund';

function accountOfSell({ bankCode, accountNumber, accountName }: Transaction): AccountDestination {
  return { bankCode: bankCode!, accountNumber, accountName };
}

/**
 * Returns the owner's name that the bank gave in the last `name_mismatch` hold before the release. The reviewers saw this name.
 */
async function findReviewedName(store: Pick<ReadStore, 'timeline'>, transactionId: string): Promise<unknown> {
  const lines = await store.timeline(transactionId);
  const released = lines.findLastIndex(({ reason }) => reason === 'released');
  const hold = lines.slice(0, released).findLast(({ reason }) => reason === 'name_mismatch');
  return hold?.evidence?.bank_says;
}
