// How a transaction is stored: its facts and its state in two tables, read together, and how a row becomes a record.
import type { State, TransactionType } from '../../../domain/records/states.ts';
import type { DepositInstruction, Transaction } from '../../../domain/records/transaction.ts';
import type { Mode } from '../../../domain/values/mode.ts';

/**
 * Of the facts `t` and the state `s`. Times as numbers and flags as text: a list spends most of its time on decoding, and
 * these need no decoding.
 */
export const TRANSACTION_COLUMNS = `t.id, t.business_id, t.mode, t.type, t.reference, t.link_tag, s.state,
  s.state_reason, s.version, t.amount_minor, t.fee_minor, t.account_number, t.account_name, t.bank_name, t.bank_code,
  array_to_string(t.flags, ' ') as flags,
  t.vendor_id, t.vendor_name, t.vendor_number, t.vendor_bank, s.network, s.wallet_address, t.deposits, t.quote_id, s.exception,
  s.tx_hash, s.received_minor, s.refunded_minor, s.released, s.tries,
  (extract(epoch from s.due_at) * 1000)::float8 as due_ms,
  (extract(epoch from t.created_at) * 1000)::float8 as created_ms,
  (extract(epoch from s.updated_at) * 1000)::float8 as updated_ms,
  (extract(epoch from t.expires_at) * 1000)::float8 as expires_ms`;

// Row by row: `limit` keeps the planner from joining two whole tables while they are small, and from keeping that plan.
/** The state `s` of each transaction `t`. */
export const STATE_OF_T = `cross join lateral (
  select * from transaction_states where transaction_id = t.id limit 1) s`;
/** The facts `t` of each state `s`. */
export const FACTS_OF_S = `cross join lateral (select * from transactions where id = s.transaction_id limit 1) t`;
/** Both, in a query that names the transactions it wants. */
export const TRANSACTIONS = `transactions t ${STATE_OF_T}`;

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
  quote_id: string | null;
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
    quoteId: row.quote_id,
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
