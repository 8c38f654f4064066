// Requests to erase the records of one person. Two people decide them, or one person in test mode. A request stays until its last
// record is erased, which for records that the law requires may take years.
import type { AuditStamp } from '../../../ports/back-office.ts';
import type { ErasureRequest } from '../../../ports/privacy.ts';
import type { SettingWrite } from '../../../ports/setting-store.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';

/** A repeated request makes the worker check the record again. */
export function requestErasure(
  database: Database,
  {
    mode,
    person,
    subjects,
    keptUntilMs = null,
  }: Extract<SettingWrite, { readonly setting: 'person_erased' }>,
  doing: AuditStamp,
): Promise<boolean> {
  const keptUntil = keptUntilMs === null ? null : new Date(keptUntilMs).toISOString();
  return makeRunAudited(database)(
    doing,
    'person_erased',
    { mode, customer: person, subjects, kept_until: keptUntil },
    async (client) => {
      await client.query(
        `insert into privacy_requests (subject, mode, requested_by, at, look_at, person, kept_until)
        select distinct s, $2, $3, to_timestamp($4::float8 / 1000), to_timestamp($4::float8 / 1000), $5, $6::timestamptz
        from unnest($1::text[]) s
        on conflict (subject) do update set done_at = null, look_at = excluded.look_at, requested_by = excluded.requested_by,
          person = excluded.person, kept_until = excluded.kept_until`,
        [subjects, mode, doing.actor, doing.atMs, person, keptUntil],
      );
      return true;
    },
  );
}

export async function openRequests(database: Database): Promise<readonly ErasureRequest[]> {
  const { rows } = await database.query<ErasureRequest & object>({
    text: `select person, mode, requested_by as "requestedBy", (extract(epoch from min(at)) * 1000)::float8 as "atMs",
        count(*)::float8 as waiting, (extract(epoch from max(kept_until)) * 1000)::float8 as "keptUntilMs"
      from privacy_requests where done_at is null
      group by person, mode, requested_by order by min(at), person limit 1000`,
  });
  return rows;
}
