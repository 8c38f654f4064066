// Stores the simulated world in PostgreSQL, in separate tables. All processes on the database share the same world, and it
// survives restarts.
import type { ArrayColumn } from '../postgres/connection/column-arrays.ts';
import type { Database } from '../postgres/connection/database.ts';
import { makePostgresPlays } from './postgres-plays.ts';
import { makePostgresRows, type RawRow } from './postgres-rows.ts';
import { ARRIVALS, PAYOUTS, STATEMENT, TRANSFERS } from './postgres-tables.ts';
import { PAYING_FATES, type SimulatedWorld } from './simulated-world.ts';

export function openPostgresWorld(database: Database): SimulatedWorld {
  const transfers = makePostgresRows(database, TRANSFERS);
  const arrivals = makePostgresRows(database, ARRIVALS);
  const payouts = makePostgresRows(database, PAYOUTS);
  const statement = makePostgresRows(database, STATEMENT);
  const plays = makePostgresPlays(database);

  const select = async <Row>(
    { name, columns }: { readonly name: string; readonly columns: readonly ArrayColumn<never>[] },
    rest: string,
    values: readonly unknown[],
    read: (raw: RawRow) => Row,
  ): Promise<Row[]> => {
    const text = `select ${columns.map(([column]) => column).join(', ')}, tries, ${rest}`;
    const { rows } = await database.query<RawRow>({ name: `${name}-list`, text, values: [...values] });
    return rows.map(read);
  };
  const positioned =
    <Row>(read: (raw: RawRow) => Row) =>
    (raw: RawRow) => ({ ...read(raw), position: Number(raw.position) });

  return {
    transfers: {
      find: transfers.find,
      put: transfers.putTogether,
      ofOrder: (orderId) =>
        select(TRANSFERS, '0 from simulated_transfers where order_id = $1', [orderId], transfers.toStored),
      paidSince: async (network, afterMs, nowMs) => {
        const { rows } = await database.query<RawRow>({
          name: 'simulated_transfers-paid-since',
          text: `select * from simulated_transfers
            where network = $1 and final_at_ms > $2 and included_at_ms <= $3 and fate = any($4)
            order by hash, order_id`,
          values: [network, afterMs, nowMs, PAYING_FATES],
        });
        return rows.map(transfers.toStored);
      },
    },
    arrivals: {
      ...arrivals,
      after: (network, position, limit) =>
        select(
          ARRIVALS,
          'position from simulated_arrivals where network = $1 and position > $2 order by position limit $3',
          [network, position, limit],
          positioned(arrivals.toStored),
        ),
    },
    payouts: {
      ...payouts,
      ofTransaction: (about) =>
        select(PAYOUTS, '0 from simulated_payouts where about = $1', [about], payouts.toStored),
    },
    statement: {
      ...statement,
      after: (position, limit) =>
        select(
          STATEMENT,
          'position from simulated_statement where position > $1 order by position limit $2',
          [position, limit],
          positioned(statement.toStored),
        ),
    },
    plays,
    settledMinor: (network, atMs) => settledMinor(database, network, atMs),
    drain: async () => {
      await Promise.all([transfers, arrivals, payouts, statement, plays].map((each) => each.drain()));
    },
  };
}

async function settledMinor(database: Database, network: string, atMs: number) {
  const { rows } = await database.query<{ sent: string; received: string }>({
    text: `select
      (select coalesce(sum(amount_minor), 0) from simulated_transfers
        where network = $1 and final_at_ms <= $2 and fate = any($3)) as sent,
      (select coalesce(sum(amount_minor), 0) from simulated_arrivals
        where network = $1 and settled_at_ms <= $2 and fate = 'settles' and our_token) as received`,
    values: [network, atMs, PAYING_FATES],
  });
  return { out: BigInt(rows[0]!.sent), in: BigInt(rows[0]!.received) };
}
