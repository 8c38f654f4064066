// Defines how a transaction is stored and how rows become a record. The facts and the state of a transaction are in two tables
// that are read together.
import type {
  DepositInstruction,
  Transaction,
  VendorSnapshot,
  Wallet,
} from '../../../domain/records/transaction.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  convertedColumn,
  defineColumns,
  ms,
  named,
  of,
  part,
  plainColumn,
} from '../connection/record-columns.ts';

/**
 * Columns of the facts `t` and the state `s`. Times are numbers and flags are text, because these types need no decoding, and
 * decoding takes most of the time of a list.
 */
const TRANSACTION = defineColumns<Transaction>({
  ...of('t', {
    ...all(
      plainColumn,
      'id',
      'businessId',
      'mode',
      'type',
      'reference',
      'linkTag',
      'accountNumber',
      'accountName',
    ),
    ...all(plainColumn, 'bankName', 'bankCode', 'quoteId'),
    ...all(bigintColumn, 'amountMinor', 'feeMinor'),
    ...all(ms, 'createdAtMs', 'expiresAtMs'),
    vendor: part<VendorSnapshot>({
      ...{ vendorId: plainColumn, name: named('vendor_name', plainColumn) },
      ...{ number: named('vendor_number', plainColumn), bank: named('vendor_bank', plainColumn) },
    }),
    deposits: convertedColumn((deposits: readonly StoredDeposit[] | null) =>
      (deposits ?? []).map((each) => ({ ...each, expectedToken: BigInt(each.expectedToken) })),
    ),
  }),
  flags: columnFrom(
    `array_to_string(t.flags, ' ')`,
    convertedColumn((flags: string) => (flags === '' ? [] : flags.split(' '))),
  ),
  ...of('s', {
    ...all(plainColumn, 'state', 'stateReason', 'version', 'exception', 'txHash', 'released', 'tries'),
    ...all(bigintColumn, 'receivedMinor', 'refundedMinor'),
    ...all(ms, 'dueAtMs', 'updatedAtMs'),
    wallet: part<Wallet>({ network: plainColumn, address: named('wallet_address', plainColumn) }),
  }),
});
export const TRANSACTION_COLUMNS = TRANSACTION.list();
export const toTransaction = TRANSACTION.read;

// These joins work row by row. `limit` prevents a plan that joins two whole tables while they are small, which the planner
// would keep.
export const JOIN_STATE = `cross join lateral (
  select * from transaction_states where transaction_id = t.id limit 1) s`;
export const JOIN_FACTS = `cross join lateral (select * from transactions where id = s.transaction_id limit 1) t`;
export const TRANSACTIONS = `transactions t ${JOIN_STATE}`;

interface StoredDeposit extends Omit<DepositInstruction, 'expectedToken'> {
  readonly expectedToken: string;
}

export function storableDeposits(deposits: readonly DepositInstruction[]): StoredDeposit[] {
  return deposits.map((deposit) => ({ ...deposit, expectedToken: deposit.expectedToken.toString() }));
}
