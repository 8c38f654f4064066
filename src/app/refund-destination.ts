// Finds where a refund without a destination may go: tokens to the wallet the business has named since; naira to the
// claim's account only when the bank says that its owner is whom the credit came from. Otherwise it waits, for two
// people or for the business.
import { moveOf } from '../domain/change.ts';
import type { AccountDestination, Movement, WalletDestination } from '../domain/movement.ts';
import { compareNames } from '../domain/name-match.ts';
import { walletOn } from '../domain/refund.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Step } from './follow-movements.ts';
import { backOffMs, type SettlementDeps } from './settlement.ts';

const LOOK_AGAIN_MS = 15_000;

export async function findDestination(
  deps: SettlementDeps,
  movement: Movement,
  transaction: Transaction | null,
): Promise<Step> {
  const atMs = deps.clock.now();
  const destination =
    movement.network === null
      ? await payerAccount(deps, movement, transaction)
      : transaction && walletOn(transaction, movement.network);
  const dueAtMs = destination === null ? atMs + backOffMs(deps, movement.tries, LOOK_AGAIN_MS) : atMs;
  return { change: { atMs, movements: [moveOf(movement, { destination, dueAtMs })] } };
}

async function payerAccount(
  deps: SettlementDeps,
  movement: Movement,
  transaction: Transaction | null,
): Promise<AccountDestination | WalletDestination | null> {
  const bank = deps.banks.find(movement.mode);
  const credit = (await deps.store.creditsById([movement.creditId ?? ''])).get(movement.creditId ?? '');
  if (bank === undefined || transaction?.bankCode == null || credit?.payerName == null) return null;
  const { bankCode, accountNumber } = transaction;
  // The owner's name is asked for without a hint of what we would like to hear.
  const answer = await bank.enquireName({
    bankCode,
    accountNumber,
    expectedName: null,
    about: transaction.id,
  });
  if (answer.kind !== 'found' || compareNames(answer.name, credit.payerName).verdict !== 'strong')
    return null;
  return { bankCode, accountNumber, accountName: answer.name };
}
