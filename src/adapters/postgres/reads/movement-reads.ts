// Reads of movements and their attempts, and of a wallet's turn: its highest sequence number and what is in flight.
import type { Store } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';
import { rowsBy } from './rows-by.ts';
import { ATTEMPTS, MOVEMENTS } from './settlement-rows.ts';

type MovementReads = Pick<
  Store,
  'movementsOf' | 'movementsOfCredit' | 'movementById' | 'lastAttempts' | 'turnOf'
>;

export function makeMovementReads(database: Database): MovementReads {
  return {
    movementsOf: async (ids) => {
      if (ids.length === 0) return [];
      // Each part of the union uses its own partial index.
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
    movementsOfCredit: (creditId) => rowsBy(database, MOVEMENTS, 'credit_id', [creditId]),
    movementById: async (id, tried) => {
      if (tried === undefined) return (await rowsBy(database, MOVEMENTS, 'id', [id]))[0];
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
