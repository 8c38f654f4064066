// Defines how a transaction is stored: its facts and its state are in two tables that are read together. Also defines how a row
// becomes a record.
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
 * Columns of the facts `t` and the state `s`. Times are numbers and flags are text: most of the time of a list is spent on
 * decoding, and these types need none.
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

// Row by row: `limit` prevents a plan that joins two whole tables while they are small. The planner would keep that plan.
/** The state `s` of each transaction `t`. */
export const JOIN_STATE = `cross join lateral (
  select * from transaction_states where transaction_id = t.id limit 1) s`;
/** The facts `t` of each state `s`. */
export const JOIN_FACTS = `cross join lateral (select * from transactions where id = s.transaction_id limit 1) t`;
/** Facts and state, for a query that selects its transactions by id. */
export const TRANSACTIONS = `transactions t ${JOIN_STATE}`;

/** A deposit instruction as JSON, in which a bigint is text. */
interface StoredDeposit extends Omit<DepositInstruction, 'expectedToken'> {
  readonly expectedToken: string;
}

export function storableDeposits(deposits: readonly DepositInstruction[]): StoredDeposit[] {
  return deposits.map((deposit) => ({ ...deposit, expectedToken: deposit.expectedToken.toString() }));
}
