// Reads ledger balances, the use of limits, and timelines.
import type { TimelineLine } from '../../../ports/store/reads.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { TRANSACTIONS } from './transaction-rows.ts';

export function makeAccountReads(database: Database): Pick<Store, 'balances' | 'usage' | 'timeline'> {
  return {
    balances: async (keys) => {
      const { rows } = await database.query<{ key: string; balance: string }>({
        name: 'balances',
        text: 'select key, balance from accounts where key = any ($1::text[])',
        values: [keys],
      });
      return new Map(rows.map(({ key, balance }) => [key, BigInt(balance)]));
    },
    usage: async (keys) => {
      const { rows } = await database.query<{ used: string | null }>({
        name: 'limit-usage',
        text: `select (select u.used_minor from limit_usage u
            where u.business_id = x.business_id and u.mode = x.mode and u.period = x.period) as used
          from unnest($1::text[], $2::text[], $3::text[]) with ordinality as x(business_id, mode, period, n) order by x.n`,
        values: [keys.map((k) => k.businessId), keys.map((k) => k.mode), keys.map((k) => k.period)],
      });
      return rows.map((row) => BigInt(row.used ?? 0));
    },
    timeline: async (transactionId) => {
      const { rows } = await database.query<TimelineLine>({
        name: 'timeline',
        text: `select * from (
          select 1 as version, null::transaction_state as "from",
            coalesce((select from_state from timeline where transaction_id = t.id order by version limit 1), s.state) as "to",
            key_id as actor, 'accepted' as reason, null::jsonb as evidence,
            (extract(epoch from t.created_at) * 1000)::float8 as "atMs"
          from ${TRANSACTIONS} where t.id = $1
          union all
          select version, from_state, to_state, actor, reason, evidence, (extract(epoch from at) * 1000)::float8
          from timeline where transaction_id = $1) lines order by version`,
        values: [transactionId],
      });
      return rows;
    },
  };
}
