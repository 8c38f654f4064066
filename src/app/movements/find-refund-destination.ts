// Finds where a refund without a destination may go: tokens to the wallet the business has named since; naira to the
// claim's account only when the bank says that its owner is the payer of the credit. Otherwise it waits, for two
// people or for the business.
import { compareNames, parseName } from '../../domain/matching/name-match.ts';
import { compareAccounts } from '../../domain/matching/payer.ts';
import { type Change, makeMove } from '../../domain/records/change.ts';
import type { AccountDestination, Movement, WalletDestination } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { findWalletOn } from '../../domain/settlement/refund.ts';
import { isErased } from '../../domain/values/erased.ts';
import type { PickDeps, SettlementDeps } from '../engine/deps.ts';
import { backOffMs } from '../engine/retries.ts';
import { chooseRailToAsk } from './payouts/choose-rail.ts';

const LOOK_AGAIN_MS = 15_000;

export async function findRefundDestination(
  deps: SettlementDeps,
  movement: Movement,
  transaction: Transaction | null,
): Promise<Change> {
  const atMs = deps.clock.now();
  const destination =
    movement.network === null
      ? await findPayerAccount(deps, movement, transaction)
      : transaction && findWalletOn(transaction, movement.network);
  const dueAtMs = destination === null ? atMs + backOffMs(deps, movement.tries, LOOK_AGAIN_MS) : atMs;
  return { atMs, movements: [makeMove(movement, { destination, dueAtMs })] };
}

async function findPayerAccount(
  deps: PickDeps<'banks' | 'catalogue' | 'store'>,
  movement: Movement,
  transaction: Transaction | null,
): Promise<AccountDestination | WalletDestination | null> {
  const credit = (await deps.store.creditsById([movement.creditId ?? ''])).get(movement.creditId ?? '');
  if (transaction?.bankCode == null || credit?.payerName == null) return null;
  const { bankCode, accountNumber } = transaction;
  // It waits for two people, who give another account.
  if (isErased(accountNumber) || isErased(credit.payerName)) return null;
  const rail = chooseRailToAsk(deps, movement.mode, bankCode);
  if (rail === undefined) return null;
  // What the bank did show of the payer's account must be this one's.
  if (compareAccounts(credit.payerAccount, accountNumber) === 'different') return null;
  // The owner's name is asked for without a hint of what we would like to hear.
  const answer = await rail.payouts.enquireName({
    bankCode,
    accountNumber,
    expectedName: null,
    about: transaction.id,
  });
  if (answer.kind !== 'found' || !isSameName(answer.name, credit.payerName)) return null;
  return { bankCode, accountNumber, accountName: answer.name };
}

/** Equal, not alike: the same words in any order, titles aside, and nothing that only looks like them. */
function isSameName(first: string, second: string): boolean {
  const [one, other] = [parseName(first), parseName(second)];
  return compareNames(one, other).verdict === 'strong' && one.form === other.form;
}
