// Reads the operator's bank accounts in the ledger, and the naira that people booked on these accounts.
import { formatLedgerAccount, type NairaMove } from '../../../domain/records/naira-move.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { ReviewStore } from '../../../ports/review-store.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  named,
  of,
  plainColumn,
} from '../connection/record-columns.ts';

type Book = Awaited<ReturnType<ReviewStore['bankBooks']>>[number];
const BOOK = defineColumns<Book>({
  ...of('b', { ...all(plainColumn, 'name', 'detail'), freeMinor: named('balance', bigintColumn) }),
  reservedMinor: columnFrom('coalesce(r.balance, 0)', bigintColumn),
});

const BOOKS = `
with own as (
  select name, nullif(substr(key, length(mode || '/NGN/' || name) + 2), '') as detail, balance from accounts
  where mode = $1 and asset = 'NGN' and name in ('bank_in', 'bank_out', 'bank_reserved'))
select ${BOOK.list()} from own b
left join own r on b.name = 'bank_out' and r.name = 'bank_reserved' and r.detail is not distinct from b.detail
where b.name in ('bank_in', 'bank_out') order by b.name, b.detail collate "C" nulls first`;

export function makeBankBooks(database: Database): Pick<ReviewStore, 'bankBooks' | 'findNairaMove'> {
  return {
    bankBooks: async (mode) => {
      return (await database.query({ name: 'bank-books', text: BOOKS, values: [mode] })).rows.map(BOOK.read);
    },
    findNairaMove: async ({ id, mode, kind, charge, account, reference }: NairaMove) => {
      const { rows } = await database.query<{ id: string }>({
        name: 'find-naira-move',
        text: `select id from naira_moves where id = $1
          or (mode = $2 and kind = $3 and charge = $4 and account = $5 and reference = $6) order by id limit 1`,
        values: [id, mode, kind, charge ?? '', formatLedgerAccount(account), reference],
      });
      return rows[0]?.id;
    },
  };
}

/** Reads treasury tokens that people booked, and tokens that the service will book automatically once they are final. */
export function makeFundings(database: Database): Pick<ReviewStore, 'findFunding' | 'seenTokens'> {
  return {
    findFunding: async (id) => {
      const { rows } = await database.query<{ mode: Mode; asset: string; left: string }>({
        name: 'find-funding',
        text: `select a.mode, a.asset, sum(p.amount_minor)::text as left
          from entries e join postings p on p.entry_id = e.id join accounts a on a.id = p.account_id
          where e.subject_id = $1 and e.event in ('treasury_funded', 'treasury_funding_undone') and a.name = 'treasury'
          group by a.mode, a.asset`,
        values: [id],
      });
      const [row] = rows;
      return row && { mode: row.mode, asset: row.asset, leftMinor: BigInt(row.left) };
    },
    seenTokens: async (mode, network) => {
      const { rows } = await database.query<{ sum: string }>({
        name: 'seen-tokens',
        text: `select coalesce(sum(amount_minor), 0)::text as sum from deposits
          where due_at is not null and mode = $1 and network = $2 and state = 'seen'`,
        values: [mode, network],
      });
      return BigInt(rows[0]!.sum);
    },
  };
}
