// Counts buys that expired without a payment, through the index that lists transactions by state. It reads only the rows that can
// count.
import type { Mode } from '../../../domain/values/mode.ts';
import type { ClaimLimitSettings, ClaimLimits } from '../../../ports/matching.ts';
import type { Database } from '../connection/database.ts';

// $1 is the mode, $2 the time from which buys count, and $4 the limit. A buy that was created before the time $3 cannot count.
// A late payment changes the state of its buy or sets an exception, so such a buy is not counted.
const UNMATCHED = `select count(*)::int as count from (
  select from transaction_states s
  where s.business_id = b.id and s.mode = $1 and s.type = 'buy' and s.listed = 'expired'
    and s.created_at >= to_timestamp($3::float8 / 1000)
    and s.received_minor = 0 and s.exception is null
    and s.updated_at >= greatest(to_timestamp($2::float8 / 1000), (
      select max(l.lifted_at) from claim_limit_lifts l where l.business_id = b.id and l.mode = $1))
  limit $4) u`;

const OF_ONE = `select u.count from (select $5::text as id) b cross join lateral (${UNMATCHED}) u`;
const OF_ALL = `select b.id as "businessId", u.count from businesses b cross join lateral (${UNMATCHED}) u
  where u.count * 2 >= $4 order by u.count desc, b.id limit 100`;

export function makeClaimLimits(
  database: Database,
  { most, windowMs, expiryMs }: ClaimLimitSettings,
): ClaimLimits {
  const asked = (mode: Mode, atMs: number) => [mode, atMs - windowMs, atMs - windowMs - expiryMs, most];
  return {
    countUnmatched: async (businessId, mode, atMs) => {
      if (most === 0) return 0;
      const { rows } = await database.query<{ count: number }>({
        name: 'count-unmatched',
        text: OF_ONE,
        values: [...asked(mode, atMs), businessId],
      });
      return rows[0]!.count;
    },
    nearLimit: async (mode, atMs) => {
      if (most === 0) return [];
      const { rows } = await database.query<{ businessId: string; count: number }>({
        name: 'near-claim-limit',
        text: OF_ALL,
        values: asked(mode, atMs),
      });
      return rows;
    },
  };
}
