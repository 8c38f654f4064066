// Tokens of treasuries that people booked, and those that will be booked by themselves once they are final.
import type { Mode } from '../../../domain/values/mode.ts';
import type { ReviewDesk } from '../../../ports/review-desk.ts';
import type { Database } from '../connection/database.ts';

export function fundings(database: Database): Pick<ReviewDesk, 'findFunding' | 'seenTokens'> {
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
