// The question directly before every payout: does the account exist, and whose is it? A release by reviewers covers the name
// that they saw, and nothing else: an account that is gone, or a name that they did not see, holds the payout again.
import { compareNames, readName } from '../../domain/matching/name-match.ts';
import type { AccountDestination } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { isErased } from '../../domain/values/erased.ts';
import type { Payouts } from '../../ports/rails/payouts.ts';
import type { ReadStore } from '../../ports/store/reads.ts';

export type AccountCheck =
  | { readonly kind: 'clear' }
  /** The rail cannot say now: ask again later, and pay nothing until it has said. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'hold';
      readonly exception: 'account_unknown' | 'name_mismatch';
      /** The evidence for reviewers. */
      readonly evidence: Readonly<Record<string, unknown>>;
    };

/** `account`: where it is paid; the one that the business gave, unless reviewers gave another. */
export async function checkAccount(
  { store }: { readonly store: Pick<ReadStore, 'timeline'> },
  payouts: Pick<Payouts, 'enquireName'>,
  transaction: Transaction,
  account: AccountDestination = ownAccount(transaction),
): Promise<AccountCheck> {
  const { bankCode, accountNumber, accountName: expectedName } = account;
  const about = transaction.id;
  // Tokens that come after the account was erased: people ask the business for an account, or send the tokens back.
  if (isErased(accountNumber))
    return { kind: 'hold', exception: 'account_unknown', evidence: { note: ACCOUNT_ERASED } };
  const owner = await payouts.enquireName({ bankCode, accountNumber, expectedName, about });
  if (owner.kind === 'unknown') return { kind: 'unknown' };
  if (owner.kind === 'no_account') return { kind: 'hold', exception: 'account_unknown', evidence: {} };
  const { verdict, score } = compareNames(readName(owner.name), readName(expectedName));
  if (verdict === 'strong') return { kind: 'clear' };
  if (transaction.released && (await nameSeen(store, about)) === owner.name) return { kind: 'clear' };
  const evidence = { bank_says: owner.name, verdict, score };
  return { kind: 'hold', exception: 'name_mismatch', evidence };
}

const ACCOUNT_ERASED =
  'the account was erased with other personal data (docs/operate/privacy.md): ask the business for one, or refund';

function ownAccount({ bankCode, accountNumber, accountName }: Transaction): AccountDestination {
  return { bankCode: bankCode!, accountNumber, accountName };
}

/** The name that the last hold for a name showed to the reviewers who released it. */
async function nameSeen(store: Pick<ReadStore, 'timeline'>, transactionId: string): Promise<unknown> {
  const lines = await store.timeline(transactionId);
  const released = lines.findLastIndex(({ reason }) => reason === 'released');
  const hold = lines.slice(0, released).findLast(({ reason }) => reason === 'name_mismatch');
  return hold?.evidence?.bank_says;
}
