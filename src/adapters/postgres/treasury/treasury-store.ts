// The treasury store on PostgreSQL. Ids are in the order of time, so the newest movements have the highest ids, and an index
// finds them.
import type { Movement } from '../../../domain/records/movement.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { SigningCaps, TreasuryStore } from '../../../ports/treasury.ts';
import type { SigningDays } from '../../signer/guarded-signer.ts';
import type { Database } from '../connection/database.ts';
import { type AnyRow, MOVEMENTS } from '../reads/settlement-rows.ts';

// This stores the amount that was signed on each day of the Lagos calendar, in PostgreSQL. One statement adds the amount and
// compares the sum with the cap. Otherwise two processes could each see enough room and together exceed the cap.
const SPEND = `insert into signing_days (mode, network, day, spent_minor)
  select $1, $2, $3::date, $4::numeric where $5::numeric is null or $4::numeric <= $5::numeric
  on conflict (mode, network, day) do update set spent_minor = signing_days.spent_minor + excluded.spent_minor
  where $5::numeric is null or signing_days.spent_minor + excluded.spent_minor <= $5::numeric
  returning 1`;

export interface PostgresSigningDays extends SigningDays {
  spent(network: string, day: string): Promise<bigint>;
}

export function makeSigningDays(database: Database, mode: Mode): PostgresSigningDays {
  return {
    spend: async (network, day, amountMinor, capMinor) => {
      // A negative amount would lower the sum of the day.
      if (amountMinor < 0n) throw new RangeError('an amount below zero');
      const { rowCount } = await database.query({
        name: 'signing-days-spend',
        text: SPEND,
        values: [mode, network, day, amountMinor.toString(), capMinor?.toString() ?? null],
      });
      return rowCount === 1;
    },
    spent: async (network, day) => {
      const { rows } = await database.query<{ spent_minor: string }>({
        name: 'signing-days-spent',
        text: 'select spent_minor from signing_days where mode = $1 and network = $2 and day = $3::date',
        values: [mode, network, day],
      });
      return BigInt(rows[0]?.spent_minor ?? 0);
    },
  };
}

/** Returns the caps from the settings of a network, or undefined if the network is simulated. */
export type CapsOf = (
  mode: Mode,
  network: string,
) => Pick<SigningCaps, 'perPaymentMinor' | 'perDayMinor'> | undefined;

/**
 * The condition on the network is a lower and an upper bound instead of an equality. With an equality the planner would use the
 * order of the primary key and also read the movements of all other networks.
 */
const OF_NETWORK = `where network is not null and (mode, network) >= ($1, $2) and (mode, network) <= ($1, $2)
  order by mode desc, network desc, id desc`;

export function makeTreasuryStore(database: Database, capsOf: CapsOf): TreasuryStore {
  const movements = async (name: string, rest: string, values: unknown[]): Promise<Movement[]> => {
    const text = `select ${MOVEMENTS.columns} from movements ${rest} limit $${values.length}`;
    return (await database.query<AnyRow>({ name, text, values })).rows.map(MOVEMENTS.read);
  };
  return {
    lastMovements: (mode, network, limit) => movements('last-movements', OF_NETWORK, [mode, network, limit]),
    lastWithdrawals: (mode, limit) =>
      movements('last-withdrawals', `where mode = $1 and kind = 'withdrawal' order by id desc`, [
        mode,
        limit,
      ]),
    caps: async (mode, network, day) => {
      const caps = capsOf(mode, network);
      if (caps === undefined) return null;
      return { ...caps, todayMinor: await makeSigningDays(database, mode).spent(network, day) };
    },
  };
}
