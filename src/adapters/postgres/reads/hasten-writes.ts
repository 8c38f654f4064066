// Makes notices and refunds due at once when the credit or refund destination that they waited for has arrived. candidates.ts
// does the same for credits, with the same conditions that find a claim.
import type { Store } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';

export function makeHastenWrites(database: Database): Pick<Store, 'hastenNotices' | 'hastenRefunds'> {
  return {
    hastenNotices: async (credits, atMs) => {
      const { rows } = await database.query<{ id: string }>({
        name: 'hasten-notices',
        // Rows are locked in the same order as in commits, so that this statement and commits cannot deadlock.
        text: `with reversal as materialized (
            select n.id as notice_id, x.id as credit_id
            from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as x(id, mode, source, source_id)
            join bank_notices n on n.mode = x.mode and n.source = x.source and n.about = x.source_id
              and n.state = 'open' and n.kind = 'credit_reversed'
            order by n.id for update of n)
          update bank_notices n set due_at = to_timestamp($5::float8 / 1000), version = n.version + 1
          from reversal where n.id = reversal.notice_id
          returning reversal.credit_id as id`,
        values: [
          credits.map(({ id }) => id),
          credits.map(({ mode }) => mode),
          credits.map(({ source }) => source),
          credits.map(({ sourceId }) => sourceId),
          atMs,
        ],
      });
      return new Set(rows.map(({ id }) => id));
    },
    hastenRefunds: async (transactionId, atMs) => {
      await database.query({
        name: 'hasten-refunds',
        // The version is raised. So a worker that read the refund before this update cannot commit and must read the refund
        // again.
        text: `with waiting as materialized (
            select id from movements where transaction_id = $1 and kind = 'refund'
            order by id for update)
          update movements set due_at = to_timestamp($2::float8 / 1000), version = version + 1
          where id = any (array(select id from waiting)) and state = 'pending' and destination is null`,
        values: [transactionId, atMs],
      });
    },
  };
}
