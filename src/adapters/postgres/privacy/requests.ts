// Requests to erase records at once, as two people, or in test mode one, decided.

import type { Doing } from '../../../ports/back-office.ts';
import type { SettingWrite } from '../../../ports/setting-desk.ts';
import { makeLogged } from '../back-office/logged.ts';
import type { Database } from '../connection/database.ts';

/** Asked for again, a record is looked at again. */
export function requestErasure(
  database: Database,
  { mode, person, subjects }: Extract<SettingWrite, { readonly setting: 'person_erased' }>,
  doing: Doing,
): Promise<boolean> {
  return makeLogged(database)(
    doing,
    'person_erased',
    { mode, customer: person, subjects },
    async (client) => {
      await client.query(
        `insert into privacy_requests (subject, mode, requested_by, at, look_at)
        select distinct s, $2, $3, to_timestamp($4::float8 / 1000), to_timestamp($4::float8 / 1000) from unnest($1::text[]) s
        on conflict (subject) do update set done_at = null, look_at = excluded.look_at, requested_by = excluded.requested_by`,
        [subjects, mode, doing.actor, doing.atMs],
      );
      return true;
    },
  );
}
