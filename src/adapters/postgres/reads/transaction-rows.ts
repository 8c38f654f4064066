// How a transaction is stored: its facts and its state in two tables, read together, and how a row becomes a record.
import type {
  DepositInstruction,
  Transaction,
  VendorSnapshot,
  Wallet,
} from '../../../domain/records/transaction.ts';
import { all, big, columns, from, ms, named, of, part, plain, stored } from '../connection/columns.ts';

/**
 * Of the facts `t` and the state `s`. Times as numbers and flags as text: a list spends most of its time on decoding, and
 * these need no decoding.
 */
const TRANSACTION = columns<Transaction>({
  ...of('t', {
    ...all(plain, 'id', 'businessId', 'mode', 'type', 'reference', 'linkTag', 'accountNumber', 'accountName'),
    ...all(plain, 'bankName', 'bankCode', 'quoteId'),
    ...all(big, 'amountMinor', 'feeMinor'),
    ...all(ms, 'createdAtMs', 'expiresAtMs'),
    vendor: part<VendorSnapshot>({
      ...{ vendorId: plain, name: named('vendor_name', plain) },
      ...{ number: named('vendor_number', plain), bank: named('vendor_bank', plain) },
    }),
    deposits: stored((deposits: readonly StoredDeposit[] | null) =>
      (deposits ?? []).map((each) => ({ ...each, expectedToken: BigInt(each.expectedToken) })),
    ),
  }),
  flags: from(
    `array_to_string(t.flags, ' ')`,
    stored((flags: string) => (flags === '' ? [] : flags.split(' '))),
  ),
  ...of('s', {
    ...all(plain, 'state', 'stateReason', 'version', 'exception', 'txHash', 'released', 'tries'),
    ...all(big, 'receivedMinor', 'refundedMinor'),
    ...all(ms, 'dueAtMs', 'updatedAtMs'),
    wallet: part<Wallet>({ network: plain, address: named('wallet_address', plain) }),
  }),
});
export const TRANSACTION_COLUMNS = TRANSACTION.list();
export const toTransaction = TRANSACTION.read;

// Row by row: `limit` keeps the planner from joining two whole tables while they are small, and from keeping that plan.
/** The state `s` of each transaction `t`. */
export const STATE_OF_T = `cross join lateral (
  select * from transaction_states where transaction_id = t.id limit 1) s`;
/** The facts `t` of each state `s`. */
export const FACTS_OF_S = `cross join lateral (select * from transactions where id = s.transaction_id limit 1) t`;
/** Both, in a query that names the transactions it wants. */
export const TRANSACTIONS = `transactions t ${STATE_OF_T}`;

/** A deposit instruction as JSON: bigint as text. */
interface StoredDeposit extends Omit<DepositInstruction, 'expectedToken'> {
  readonly expectedToken: string;
}

export function storedDeposits(deposits: readonly DepositInstruction[]): StoredDeposit[] {
  return deposits.map((deposit) => ({ ...deposit, expectedToken: deposit.expectedToken.toString() }));
}
