// Finds the destination of a refund that has none yet. Tokens go to the wallet that the business has set meanwhile. Naira goes
// to the account of the claim only if the bank confirms that its owner is the payer of the credit. Otherwise the refund waits
// for two people or for the business.
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
  // If a name or account number was erased, the refund waits until two people choose another account.
  if (isErased(accountNumber) || isErased(credit.payerName)) return null;
  const rail = chooseRailToAsk(deps, movement.mode, bankCode);
  if (rail === undefined) return null;
  // The visible digits of the payer's account must match the account of the claim.
  if (compareAccounts(credit.payerAccount, accountNumber) === 'different') return null;
  // The request to the bank for the owner's name contains no hint of the expected name.
  const answer = await rail.payouts.enquireName({
    bankCode,
    accountNumber,
    expectedName: null,
    about: transaction.id,
  });
  if (answer.kind !== 'found' || !isSameName(answer.name, credit.payerName)) return null;
  return { bankCode, accountNumber, accountName: answer.name };
}

/**
 * The names must be equal, not only similar. They must have the same words in any order, without titles. Look-alike letters are
 * not equal.
 */
function isSameName(first: string, second: string): boolean {
  const [one, other] = [parseName(first), parseName(second)];
  return compareNames(one, other).verdict === 'strong' && one.form === other.form;
}
