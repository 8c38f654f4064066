// Reads movements and their attempts. Also reads the turn of a wallet: its highest sequence number and the amount in flight.
import type { EndedPayout, EndedPayoutStore, Store } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { all, defineColumns, ms, plainColumn } from '../connection/record-columns.ts';
import { readRowsBy } from './record-reads.ts';
import { ATTEMPTS, MOVEMENTS } from './settlement-rows.ts';

type MovementReads = Pick<
  Store,
  'movementsOf' | 'movementsOfCredit' | 'movementById' | 'lastAttempts' | 'turnOf'
>;

export function makeMovementReads(database: Database): MovementReads {
  return {
    movementsOf: async (ids) => {
      if (ids.length === 0) return [];
      // Each part of the union uses a different partial index.
      const { rows } = await database.query({
        name: 'movements-of',
        text: `select ${MOVEMENTS.columns} from movements where transaction_id = any ($1::text[]) and kind in ('send', 'payout')
          and state not in ('failed', 'returned')
          union all select ${MOVEMENTS.columns} from movements where transaction_id = any ($1::text[]) and kind = 'payout'
          and state = 'returned'
          union all select ${MOVEMENTS.columns} from movements where transaction_id = any ($1::text[]) and kind = 'refund'`,
        values: [ids],
      });
      return rows.map(MOVEMENTS.read);
    },
    movementsOfCredit: (creditId) => readRowsBy(database, MOVEMENTS, 'credit_id', [creditId]),
    movementById: async (id, tried) => {
      if (tried === undefined) return (await readRowsBy(database, MOVEMENTS, 'id', [id]))[0];
      const { rows } = await database.query({
        name: 'movement-tried-on-rail',
        text: `select ${MOVEMENTS.columns} from movements where id = $1 and exists (
          select from movement_attempts where movement_id = $1 and rail = $2 and reference = $3)`,
        values: [id, tried.rail, tried.reference],
      });
      return rows[0] && MOVEMENTS.read(rows[0]);
    },
    lastAttempts: async (ids) => {
      if (ids.length === 0) return new Map();
      const { rows } = await database.query({
        name: 'last-attempts',
        text: `select ${ATTEMPTS.columns} from unnest($1::text[]) as x(id) cross join lateral (
            select * from movement_attempts where movement_id = x.id order by no desc limit 1) a
          left join lateral (
            select l.payload, l.orders from movement_attempts l where a.envelope_index > 0 and l.mode = a.mode
              and l.network = a.network and l.reference = a.reference and l.envelope_index = 0) lead on true`,
        values: [ids],
      });
      return new Map(rows.map((row) => [row.movementId as string, ATTEMPTS.read(row)]));
    },
    turnOf: async (mode, network, wallet) => {
      const { rows } = await database.query<{ last: string | null; live: number; flying: string }>({
        name: 'turn-of',
        text: `select
            (select a.sequence from movement_attempts a where a.mode = $1 and a.network = $2 and a.source = $3
              and a.sequence is not null and a.envelope_index = 0 and a.holds_sequence
              order by a.sequence::numeric desc limit 1) as last,
            (select count(*)::int from movement_attempts a where a.mode = $1 and a.network = $2 and a.source = $3
              and a.sequence is not null and a.envelope_index = 0 and a.may_land) as live,
            (select coalesce(sum(m.amount_minor), 0) from movements m where m.mode = $1 and m.network = $2
              and m.network is not null and m.state in ('sending', 'unknown') and m.kind <> 'sweep') as flying`,
        values: [mode, network, wallet],
      });
      const { last, live, flying } = rows[0]!;
      return { lastSequence: last, live, inFlightMinor: BigInt(flying) };
    },
  };
}

// Payouts that ended are leased in PostgreSQL as in every queue. So only one of several processes queries the rail about a
// payout.
const ENDED = defineColumns<EndedPayout>({
  ...all(plainColumn, 'movementId', 'no', 'mode', 'rail', 'reference', 'paid', 'looks', 'said', 'version'),
  endedAtMs: ms,
});
const LEASE = `with leased as (
    update ended_payouts t set due_at = to_timestamp(($1::float8 + $2::float8) / 1000), version = t.version + 1
    where (t.movement_id, t.no) in (
      select movement_id, no from ended_payouts where due_at <= to_timestamp($1::float8 / 1000)
      order by due_at, movement_id, no limit $3 for update skip locked)
    returning t.*)
  select ${ENDED.list()}
  from leased order by movement_id, no`;

export function makeEndedPayouts(database: Database): EndedPayoutStore {
  return {
    leaseEndedPayouts: async ({ atMs, leaseMs, limit }) => {
      const values = [atMs, leaseMs, limit];
      return (await database.query({ name: 'lease-ended-payouts', text: LEASE, values })).rows.map(
        ENDED.read,
      );
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
