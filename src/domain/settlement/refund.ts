// Where refunds may go. Naira go only to an account whose full number the bank itself reported. Tokens go only to the wallet
// that the business named. A refund without such a destination waits.
import { type BankCredit, isFullAccount } from '../records/credit.ts';
import type { Deposit } from '../records/deposit.ts';
import {
  type AccountDestination,
  type Movement,
  newMovement,
  type WalletDestination,
} from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import { NAIRA } from '../values/money.ts';

/**
 * Refunds naira to the payer that the bank named. The account number in a claim is never used automatically as a refund
 * destination.
 */
export function makeCreditRefund(
  credit: BankCredit,
  facts: { id: string; amountMinor: bigint; reason: string; transactionId: string | null; atMs: number },
): Movement {
  const { id, amountMinor, reason, transactionId, atMs } = facts;
  return newMovement({
    ...{ id, kind: 'refund', mode: credit.mode, network: null, asset: NAIRA, amountMinor, reason, atMs },
    nairaMinor: amountMinor,
    transactionId,
    creditId: credit.id,
    destination: findPayerAccount(credit),
  });
}

function findPayerAccount(credit: BankCredit): AccountDestination | null {
  const { payerAccount, payerBankCode, payerName } = credit;
  if (!isFullAccount(payerAccount) || payerBankCode === null) return null;
  return { bankCode: payerBankCode, accountNumber: payerAccount, accountName: payerName };
}

export function makeDepositRefund(
  deposit: Deposit,
  transaction: Transaction,
  facts: { id: string; tokens: bigint; nairaMinor: bigint; reason: string; atMs: number },
): Movement {
  const { id, tokens, nairaMinor, reason, atMs } = facts;
  const { mode, network, asset } = deposit;
  return newMovement({
    ...{ id, kind: 'refund', mode, network, asset, nairaMinor, reason, atMs },
    amountMinor: tokens,
    transactionId: transaction.id,
    depositId: deposit.id,
    destination: findWalletOn(transaction, network),
  });
}

export function findWalletOn({ wallet }: Transaction, network: string): WalletDestination | null {
  return wallet?.network === network ? { address: wallet.address } : null;
}

const REPLACED_PREFIX = 'replaced by ';

export function makeReplacedReason({ id }: Movement): string {
  return `${REPLACED_PREFIX}${id}`;
}

export function wasReplaced({ reason }: Movement): boolean {
  return reason?.startsWith(REPLACED_PREFIX) ?? false;
}
