// Refunds: where money may be given back to. Naira only to an account the bank itself named in full, tokens only to the
// wallet the business named; a refund that has no such place waits.
import { NAIRA } from './assets.ts';
import { type BankCredit, isFullAccount } from './credit.ts';
import type { Deposit } from './deposit.ts';
import type { AccountDestination, Movement, WalletDestination } from './movement.ts';
import type { Transaction } from './transaction.ts';

const NEW = { kind: 'refund', state: 'pending', version: 1, attempts: 0, tries: 0 } as const;

/** Naira back to whom the bank says it came from. A claim's account number is never a target by itself. */
export function creditRefund(
  credit: BankCredit,
  facts: { id: string; amountMinor: bigint; reason: string; transactionId: string | null; atMs: number },
): Movement {
  return {
    ...NEW,
    id: facts.id,
    mode: credit.mode,
    network: null,
    asset: NAIRA,
    amountMinor: facts.amountMinor,
    nairaMinor: facts.amountMinor,
    transactionId: facts.transactionId,
    creditId: credit.id,
    depositId: null,
    destination: payerOf(credit),
    reason: facts.reason,
    dueAtMs: facts.atMs,
    createdAtMs: facts.atMs,
    updatedAtMs: facts.atMs,
  };
}

function payerOf(credit: BankCredit): AccountDestination | null {
  const { payerAccount, payerBankCode, payerName } = credit;
  if (!isFullAccount(payerAccount) || payerBankCode === null) return null;
  return { bankCode: payerBankCode, accountNumber: payerAccount, accountName: payerName };
}

/** Tokens back to the wallet of the sell, on the network they came on. */
export function depositRefund(
  deposit: Deposit,
  transaction: Transaction,
  facts: { id: string; tokens: bigint; nairaMinor: bigint; reason: string; atMs: number },
): Movement {
  return {
    ...NEW,
    id: facts.id,
    mode: deposit.mode,
    network: deposit.network,
    asset: deposit.asset,
    amountMinor: facts.tokens,
    nairaMinor: facts.nairaMinor,
    transactionId: transaction.id,
    creditId: null,
    depositId: deposit.id,
    destination: walletOn(transaction, deposit.network),
    reason: facts.reason,
    dueAtMs: facts.atMs,
    createdAtMs: facts.atMs,
    updatedAtMs: facts.atMs,
  };
}

export function walletOn({ wallet }: Transaction, network: string): WalletDestination | null {
  return wallet?.network === network ? { address: wallet.address } : null;
}
