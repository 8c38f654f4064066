// Payouts that ended, on PostgreSQL: leased like every queue, so that several processes ask a rail once.
import type { EndedPayout, EndedPayoutStore } from '../../../ports/store/ended-payouts.ts';
import type { Database } from '../connection/database.ts';

const LEASE = `with leased as (
    update ended_payouts t set due_at = to_timestamp(($1::float8 + $2::float8) / 1000), version = t.version + 1
    where (t.movement_id, t.no) in (
      select movement_id, no from ended_payouts where due_at <= to_timestamp($1::float8 / 1000)
      order by due_at, movement_id, no limit $3 for update skip locked)
    returning t.*)
  select movement_id as "movementId", no, mode, rail, reference, paid,
    (extract(epoch from ended_at) * 1000)::float8 as "endedAtMs", looks, said, version
  from leased order by movement_id, no`;

export function makeEndedPayouts(database: Database): EndedPayoutStore {
  return {
    leaseEndedPayouts: async ({ atMs, leaseMs, limit }) => {
      const values = [atMs, leaseMs, limit];
      return (
        await database.query<EndedPayout & object>({ name: 'lease-ended-payouts', text: LEASE, values })
      ).rows;
    },
    moveEndedPayout: async ({ movementId, no, version }, next) => {
      const where = 'where movement_id = $1 and no = $2 and version = $3';
      const of = [movementId, no, version];
      await database.query(
        next === null
          ? { name: 'forget-ended-payout', text: `delete from ended_payouts ${where}`, values: of }
          : {
              name: 'move-ended-payout',
              text: `update ended_payouts set looks = $4, said = $5, due_at = to_timestamp($6::float8 / 1000),
                version = version + 1 ${where}`,
              values: [...of, next.looks, next.said, next.dueAtMs],
            },
      );
    },
  };
}
