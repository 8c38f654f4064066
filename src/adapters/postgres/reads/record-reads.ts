// Reads transactions, credits and deposits by their id, by their transaction, or by the id that the bank or the network gave
// them.
import type { Store } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { CREDITS, DEPOSITS, type RowReader } from './settlement-rows.ts';
import { TRANSACTION_COLUMNS, TRANSACTIONS, toTransaction } from './transaction-rows.ts';

export async function readRowsBy<Record>(
  database: Database,
  { table, columns, read }: RowReader<Record>,
  column: string,
  ids: readonly string[],
): Promise<Record[]> {
  if (ids.length === 0) return [];
  const { rows } = await database.query({
    name: `${table}-by-${column}`,
    text: `select ${columns} from ${table} where ${column} = any ($1::text[])`,
    values: [ids],
  });
  // The rows are sorted here instead of in the statement. With `order by` the planner would read a small table completely
  // through the index of that order, and keep that plan while the table grows.
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(read);
}

type RecordReads = Pick<
  Store,
  | 'transactionsById'
  | 'creditsById'
  | 'partsOf'
  | 'creditsOf'
  | 'findCredit'
  | 'hasOpenReturn'
  | 'depositsOf'
  | 'findDeposits'
>;

export function makeRecordReads(database: Database): RecordReads {
  return {
    transactionsById: async (ids) => {
      if (ids.length === 0) return new Map();
      const { rows } = await database.query({
        name: 'transactions-by-id',
        text: `select ${TRANSACTION_COLUMNS} from ${TRANSACTIONS} where t.id = any ($1::text[])`,
        values: [ids],
      });
      return new Map(rows.map(toTransaction).map((each) => [each.id, each]));
    },
    creditsById: async (ids) =>
      new Map((await readRowsBy(database, CREDITS, 'id', ids)).map((each) => [each.id, each])),
    partsOf: (creditId) => readRowsBy(database, CREDITS, 'parent_id', [creditId]),
    creditsOf: (ids) => readRowsBy(database, CREDITS, 'transaction_id', ids),
    findCredit: async (mode, source, sourceId) => {
      const { rows } = await database.query({
        name: 'find-credit',
        text: `select ${CREDITS.columns} from bank_credits where mode = $1 and source = $2 and source_id = $3`,
        values: [mode, source, sourceId],
      });
      return rows[0] && CREDITS.read(rows[0]);
    },
    hasOpenReturn: async (mode, rail, reference) => {
      const { rows } = await database.query<{ found: boolean }>({
        name: 'open-return',
        text: `select exists (select from bank_notices where mode = $1 and source = $2 and about = $3
          and state = 'open' and kind = 'payout_returned') as found`,
        values: [mode, rail, reference],
      });
      return rows[0]!.found;
    },
    depositsOf: (ids) => readRowsBy(database, DEPOSITS, 'transaction_id', ids),
    findDeposits: async (mode, network, transfers) => {
      if (transfers.length === 0) return [];
      const { rows } = await database.query({
        name: 'find-deposits',
        text: `select x.n, d.* from unnest($3::text[], $4::int[]) with ordinality as x(tx_hash, tx_index, n)
          cross join lateral (select ${DEPOSITS.columns} from deposits
            where mode = $1 and network = $2 and tx_hash = x.tx_hash and tx_index = x.tx_index) d`,
        values: [mode, network, transfers.map((each) => each.txHash), transfers.map((each) => each.txIndex)],
      });
      const found = new Map(rows.map((row) => [Number(row.n), DEPOSITS.read(row)]));
      return transfers.map((_, index) => found.get(index + 1));
    },
  };
}
