// How a transaction lies in its table: the columns, and the way back to the record.

import type { State, TransactionType } from '../../../domain/records/states.ts';
import type { DepositInstruction, Transaction } from '../../../domain/records/transaction.ts';
import type { Mode } from '../../../domain/values/mode.ts';

/** Times as numbers and flags as text: a list spends most of its time on decoding, and these decode for nothing. */
export const TRANSACTION_COLUMNS = `id, business_id, mode, type, reference, link_tag, state, state_reason, version,
  amount_minor, fee_minor, account_number, account_name, bank_name, bank_code,
  array_to_string(flags, ' ') as flags,
  vendor_id, vendor_name, vendor_number, vendor_bank, network, wallet_address, deposits, exception,
  tx_hash, received_minor, refunded_minor, released, tries,
  (extract(epoch from due_at) * 1000)::float8 as due_ms,
  (extract(epoch from created_at) * 1000)::float8 as created_ms,
  (extract(epoch from updated_at) * 1000)::float8 as updated_ms,
  (extract(epoch from expires_at) * 1000)::float8 as expires_ms`;

export interface TransactionRow {
  id: string;
  business_id: string;
  mode: Mode;
  type: TransactionType;
  reference: string;
  link_tag: string;
  state: State;
  state_reason: string | null;
  version: number;
  amount_minor: string;
  fee_minor: string;
  account_number: string;
  account_name: string | null;
  bank_name: string;
  bank_code: string | null;
  flags: string;
  vendor_id: string | null;
  vendor_name: string | null;
  vendor_number: string | null;
  vendor_bank: string | null;
  network: string | null;
  wallet_address: string | null;
  deposits: StoredDeposit[] | null;
  exception: string | null;
  tx_hash: string | null;
  received_minor: string;
  refunded_minor: string;
  released: boolean;
  tries: number;
  due_ms: number | null;
  created_ms: number;
  updated_ms: number;
  expires_ms: number;
}

/** A deposit instruction as JSON: bigint as text. */
export interface StoredDeposit extends Omit<DepositInstruction, 'expectedToken'> {
  readonly expectedToken: string;
}

export function storedDeposits(deposits: readonly DepositInstruction[]): StoredDeposit[] {
  return deposits.map((deposit) => ({ ...deposit, expectedToken: deposit.expectedToken.toString() }));
}

export function toTransaction(row: TransactionRow): Transaction {
  return {
    id: row.id,
    businessId: row.business_id,
    mode: row.mode,
    type: row.type,
    reference: row.reference,
    linkTag: row.link_tag,
    state: row.state,
    stateReason: row.state_reason,
    version: row.version,
    amountMinor: BigInt(row.amount_minor),
    feeMinor: BigInt(row.fee_minor),
    accountNumber: row.account_number,
    accountName: row.account_name,
    bankName: row.bank_name,
    bankCode: row.bank_code,
    flags: row.flags === '' ? [] : row.flags.split(' '),
    vendor:
      row.vendor_id === null
        ? null
        : {
            vendorId: row.vendor_id,
            name: row.vendor_name!,
            number: row.vendor_number!,
            bank: row.vendor_bank!,
          },
    wallet: row.network === null ? null : { network: row.network, address: row.wallet_address! },
    deposits: (row.deposits ?? []).map((deposit) => ({
      ...deposit,
      expectedToken: BigInt(deposit.expectedToken),
    })),
    exception: row.exception as Transaction['exception'],
    txHash: row.tx_hash,
    receivedMinor: BigInt(row.received_minor),
    refundedMinor: BigInt(row.refunded_minor),
    released: row.released,
    dueAtMs: row.due_ms,
    tries: row.tries,
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
    expiresAtMs: row.expires_ms,
  };
}
