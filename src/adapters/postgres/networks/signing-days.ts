// How much was signed on each day of the Lagos calendar, in PostgreSQL. One statement adds the amount and compares it with
// the cap, so two processes that each see room cannot exceed the cap together.
import type { Mode } from '../../../domain/values/mode.ts';
import type { SigningDays } from '../../signer/guarded-signer.ts';
import type { Database } from '../connection/database.ts';

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
