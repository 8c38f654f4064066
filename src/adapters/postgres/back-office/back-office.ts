// The back office on PostgreSQL. Each change and its audit log entry are one database transaction.
import type { BackOffice, Pause, SettingWrites } from '../../../ports/back-office.ts';
import type { Database } from '../connection/database.ts';
import { makeBusinesses } from './businesses.ts';
import { makeFees } from './fees.ts';
import { makeFreezes } from './freezes.ts';
import { makeKeys } from './keys.ts';
import { makeLimits } from './limits.ts';
import { makeRunAudited } from './run-audited.ts';
import { makeVendors } from './vendors.ts';

export function makeBackOffice(database: Database): BackOffice & SettingWrites {
  const logged = makeRunAudited(database);
  return {
    ...makeBusinesses(database, logged),
    ...makeKeys(database, logged),
    ...makeVendors(database, logged),
    ...makeFees(database, logged),
    ...makeLimits(database, logged),
    ...makeFreezes(database, logged),
    setMovementsPaused: (paused, reason, doing) =>
      logged(doing, paused ? 'movements_paused' : 'movements_resumed', { reason }, async (client) => {
        await client.query(
          `insert into controls (name, value, updated_at) values ('movements_paused', $1, $2)
           on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
          [JSON.stringify(paused), new Date(doing.atMs)],
        );
        await client.query(
          `insert into controls (name, value, updated_at) values ('movements_paused_by', $1, $2)
           on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
          [JSON.stringify({ paused, actor: doing.actor, reason }), new Date(doing.atMs)],
        );
      }),
    movementsPaused: async () => {
      const { rows } = await database.query<{ value: boolean }>({
        text: `select value from controls where name = 'movements_paused'`,
      });
      return rows[0]?.value ?? false;
    },
    lastPause: async () => {
      const { rows } = await database.query<{ value: Omit<Pause, 'atMs'>; updated_at: Date }>({
        text: `select value, updated_at from controls where name = 'movements_paused_by'`,
      });
      const last = rows[0];
      return last && { ...last.value, atMs: last.updated_at.getTime() };
    },
  };
}
