// Finds claimable balances that a different account created for the treasury. They stay in the ledger until the treasury's key
// claims them. So they are not deposits, but operators see them.
import { FeeBumpTransaction, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { fieldsOf, type HorizonFields, isFields, listOf, textOf } from '../horizon/fields.ts';
import { isAccount, operationIndexOf, type Receiver } from './token-credits.ts';

export interface TreasuryClaimable {
  /** Null means that the id is not known. Then a claim of this balance is not recognised. */
  readonly id: string | null;
  readonly reason: string;
}

/**
 * Undefined means that the operation created no claimable balance for the treasury. A claimable balance that the treasury
 * created for other accounts does not count.
 */
export function readTreasuryClaimable(
  record: HorizonFields,
  transaction: HorizonFields,
  { account, token }: Receiver,
  passphrase: string,
): TreasuryClaimable | undefined {
  if (record.type !== 'create_claimable_balance' || record.transaction_successful === false) return undefined;
  if (isAccount(record.source_account, account)) return undefined;
  if (textOf(record, 'asset') !== `${token.code}:${token.issuer}`) return undefined;
  const claimants = listOf(record.claimants, 'claimants').map((each) => fieldsOf(each, 'a claimant'));
  if (!claimants.some(({ destination }) => isAccount(destination, account))) return undefined;
  const id = idOf(record, transaction, passphrase);
  const amount = `${textOf(record, 'amount')} ${token.code}`;
  const reason = `a claimable balance of ${amount} for the treasury: not received until it is claimed`;
  return { id, reason };
}

export function claimedBalanceId(record: unknown, { account }: Receiver): string | undefined {
  if (!isFields(record) || record.type !== 'claim_claimable_balance') return undefined;
  const isDone = record.transaction_successful !== false && isAccount(record.source_account, account);
  return isDone && typeof record.balance_id === 'string' ? record.balance_id : undefined;
}

/** Servers do not show the id with the operation. It follows from the transaction's sequence number and the operation's index. */
function idOf(record: HorizonFields, { envelope_xdr }: HorizonFields, passphrase: string): string | null {
  try {
    const envelope = TransactionBuilder.fromXdr(envelope_xdr as string, passphrase);
    const inner = envelope instanceof FeeBumpTransaction ? envelope.innerTransaction : envelope;
    return inner.getClaimableBalanceId(operationIndexOf(record));
  } catch {
    return null;
  }
}
