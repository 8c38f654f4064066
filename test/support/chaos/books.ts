// Reads all records of a chaos run: the service's own tables, and the tables of the outside world, which show what really
// happened.
import type { ConnectionSettings } from '../../../src/adapters/postgres/connection/database.ts';
import type { TransactionState, TransactionType } from '../../../src/domain/records/states.ts';
import { query } from '../accounted.ts';

export interface TransactionRow {
  id: string;
  business_id: string;
  reference: string;
  type: TransactionType;
  state: TransactionState;
  exception: string | null;
  amount_minor: bigint;
  fee_minor: bigint;
  received_minor: bigint;
  refunded_minor: bigint;
  network: string;
  wallet_address: string;
  account_number: string;
  tx_hash: string | null;
}

export interface TimelineRow {
  transaction_id: string;
  version: number;
  from_state: TransactionState;
  to_state: TransactionState;
  actor: string;
  reason: string;
  at: Date;
}

export interface MovementRow {
  id: string;
  kind: 'send' | 'payout' | 'refund';
  network: string | null;
  amount_minor: bigint;
  naira_minor: bigint;
  transaction_id: string | null;
  destination: { address?: string; accountNumber?: string } | null;
  state: string;
  reason: string | null;
}

export interface AttemptRow {
  movement_id: string;
  no: number;
  reference: string;
  state: string;
}

/** A signed payment that was broadcast. The network paid only transfers with the fate `lands` or `reorganised`. */
export interface TransferRow {
  order_id: string;
  hash: string;
  network: string;
  about: string | null;
  address: string;
  amount_minor: bigint;
  fate: string;
}

export interface ArrivalRow {
  id: string;
  network: string;
  tx_hash: string;
  amount_minor: bigint;
  fate: string;
}

export interface DepositRow {
  id: string;
  network: string;
  tx_hash: string;
  amount_minor: bigint;
  asset: string;
  state: string;
  transaction_id: string | null;
}

/** A payout at the bank. The bank paid every payout except those with the fate `fails`. */
export interface PayoutRow {
  reference: string;
  about: string | null;
  account_number: string;
  amount_minor: bigint;
  charge_minor: bigint;
  fate: string;
}

export interface LineRow {
  kind: string;
  source_id: string;
  about: string | null;
  amount_minor: bigint;
}

export interface CreditRow {
  id: string;
  source_id: string;
  amount_minor: bigint;
  state: string;
  transaction_id: string | null;
}

export interface AccountRow {
  key: string;
  mode: string;
  asset: string;
  name: string;
  side: 'debit' | 'credit';
  balance: bigint;
  posted: bigint;
}

const TABLES = {
  transactions: 'select * from transactions join transaction_states on transaction_id = id order by id',
  timeline: 'select * from timeline order by transaction_id, version',
  movements: 'select * from movements order by id',
  attempts: 'select * from movement_attempts order by movement_id, no',
  credits: 'select * from bank_credits order by id',
  matches: 'select credit_id, transaction_id from match_decisions where transaction_id is not null',
  deposits: 'select * from deposits order by id',
  notices: 'select kind, about, state from bank_notices',
  cases: 'select kind, transaction_id from cases',
  halts: 'select mode, asset, reason from halts',
  accounts: `select a.*, coalesce((select sum(p.amount_minor) from postings p where p.account_id = a.id), 0) as posted
    from accounts a order by key`,
  transfers: 'select * from simulated_transfers order by order_id, at_ms',
  arrivals: 'select * from simulated_arrivals',
  payouts: 'select * from simulated_payouts',
  lines: `select distinct kind, source_id, line->>'about' as about, line->>'amountMinor' as amount_minor
    from simulated_statement`,
} as const;

interface RowsOf {
  transactions: TransactionRow;
  timeline: TimelineRow;
  movements: MovementRow;
  attempts: AttemptRow;
  credits: CreditRow;
  matches: { credit_id: string; transaction_id: string };
  deposits: DepositRow;
  notices: { kind: string; about: string; state: string };
  cases: { kind: string; transaction_id: string };
  halts: { mode: string; asset: string; reason: string };
  accounts: AccountRow;
  transfers: TransferRow;
  arrivals: ArrivalRow;
  payouts: PayoutRow;
  lines: LineRow;
}

export type Books = { readonly [Table in keyof RowsOf]: readonly RowsOf[Table][] };

export async function readBooks(
  connection: ConnectionSettings,
  tables: readonly (keyof RowsOf)[] = Object.keys(TABLES) as (keyof RowsOf)[],
): Promise<Books> {
  const books: Partial<Record<keyof RowsOf, unknown>> = {};
  for (const table of tables) books[table] = (await query(connection, TABLES[table])).map(withBigints);
  return books as unknown as Books;
}

function withBigints(row: Record<string, unknown>): Record<string, unknown> {
  const isAmount = (name: string) => /_minor$|^balance$|^posted$/.test(name);
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      isAmount(name) && typeof value === 'string' ? BigInt(value) : value,
    ]),
  );
}
