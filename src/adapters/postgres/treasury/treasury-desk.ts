// The treasury desk on PostgreSQL. Ids are in the order of time, so the newest movements are those with the highest ids, and an
// index finds them.
import type { Movement } from '../../../domain/records/movement.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { SigningCaps, TreasuryDesk } from '../../../ports/treasury/treasury-desk.ts';
import type { Database } from '../connection/database.ts';
import { makeSigningDays } from '../networks/signing-days.ts';
import { type AnyRow, MOVEMENTS } from '../reads/settlement-rows.ts';

/** From the settings of a network; undefined: it is simulated. */
export type CapsOf = (
  mode: Mode,
  network: string,
) => Pick<SigningCaps, 'perPaymentMinor' | 'perDayMinor'> | undefined;

/**
 * Bounded from both sides and not equal to one: the planner would take the order of the primary key, and read the movements of all
 * other networks, too.
 */
const OF_NETWORK = `where network is not null and (mode, network) >= ($1, $2) and (mode, network) <= ($1, $2)
  order by mode desc, network desc, id desc`;

export function makeTreasuryDesk(database: Database, capsOf: CapsOf): TreasuryDesk {
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
