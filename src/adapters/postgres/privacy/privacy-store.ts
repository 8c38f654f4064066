// Customers' personal data in PostgreSQL: the worker's batches, requested erasures, and the search for one person.
import { randomUUID } from 'node:crypto';
import { groupRequestedRecords } from '../../../domain/privacy/person-query.ts';
import type { AuditStamp } from '../../../ports/back-office.ts';
import type { ErasedBatch, PersonalHash, PrivacyProgress, PrivacyStore } from '../../../ports/privacy.ts';
import type { SettingWrite } from '../../../ports/setting-store.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { STORED_VALUES } from '../connection/erased-values.ts';
import { eraseDueRows } from './erase-due.ts';
import { type ErasureContext, eraseRows, recordErasure } from './erase-rows.ts';
import { findBelongingRows, findPerson, findRowsOfRecords } from './find-person.ts';
import { PERSONAL_PLACES, type PersonalPlace } from './personal-places.ts';
import { erasedColumns, type StoredPersonalRow } from './personal-row-sql.ts';

const REQUESTS_AT_ONCE = 50;
const LOOK_AGAIN_MS = 3_600_000;

export function makePrivacyStore(database: Database, hash: PersonalHash): PrivacyStore {
  const walked = PERSONAL_PLACES.filter(({ forgotten }) => forgotten !== true);
  return {
    places: walked.map(({ table }) => table),
    eraseDue: (table, overBeforeMs, nowMs) => {
      const place = walked.find((each) => each.table === table)!;
      return eraseDueRows(database, hash, { place, overBeforeMs, nowMs, batch: randomUUID() });
    },
    eraseRequested: (overBeforeMs, nowMs) => eraseRequested(database, hash, overBeforeMs, nowMs),
    progress: async () => {
      const { rows } = await database.query<PrivacyProgress & { place: string }>({
        text: `select p.place, p.erased::float8 as erased,
            (select count(*) from privacy_waiting w where w.place = p.place)::float8 as waiting
          from privacy_progress p order by p.place`,
      });
      return rows;
    },
    find: (person, mode) => findPerson(database, hash, person, mode),
    rowsOf: (rows) => findRowsOfRecords(database, hash, rows),
    kept: async (account) => {
      const { rows } = await database.query<{ audit: string[]; proposals: string[] }>({
        text: `select array(select no::text from audit_log where strpos(detail::text, $1) > 0 order by audit_log.no) as audit,
          array(select id from proposals where strpos(detail::text, $1) > 0 order by id) as proposals`,
        values: [account],
      });
      return { audit_log: rows[0]!.audit, proposals: rows[0]!.proposals };
    },
  };
}

/** A record that is not finished yet keeps its request and is checked again later. */
async function eraseRequested(
  database: Database,
  hash: PersonalHash,
  overBeforeMs: number,
  nowMs: number,
): Promise<ErasedBatch> {
  return database.transaction(async (client) => {
    const erasing: ErasureContext = { client, hash, nowMs };
    const { rows: requests } = await client.query<{ subject: string }>(
      `select subject from privacy_requests where done_at is null and look_at <= to_timestamp($1::float8 / 1000)
        order by look_at, subject limit ${REQUESTS_AT_ONCE} for update skip locked`,
      [nowMs],
    );
    const subjects = requests.map(({ subject }) => subject);
    if (subjects.length === 0) return { seen: 0, erased: 0 };
    const batch = randomUUID();
    const places: Record<string, number> = {};
    const open = new Set<string>();
    for (const place of PERSONAL_PLACES) {
      const { due, waiting } = await requestedRows(erasing, place, subjects, overBeforeMs);
      for (const subject of waiting) open.add(subject);
      const erased = await eraseRows(erasing, place, due, batch);
      if (erased > 0) places[place.table] = erased;
    }
    await client.query(
      `update privacy_requests set
        done_at = case when subject <> all ($2) then to_timestamp($3::float8 / 1000) end,
        look_at = to_timestamp($4::float8 / 1000) where subject = any ($1)`,
      [subjects, [...open], nowMs, nowMs + LOOK_AGAIN_MS],
    );
    const erased = Object.values(places).reduce((sum, each) => sum + each, 0);
    if (erased > 0) await recordErasure(erasing, places, batch);
    return { seen: subjects.length, erased };
  });
}

async function requestedRows(
  { client, hash }: ErasureContext,
  place: PersonalPlace,
  subjects: readonly string[],
  overBeforeMs: number,
): Promise<{ readonly due: readonly StoredPersonalRow[]; readonly waiting: readonly string[] }> {
  const run = async (text: string, values: unknown[]) =>
    (await client.query<StoredPersonalRow>({ text, values, types: STORED_VALUES })).rows;
  const rows = await findBelongingRows(run, place, groupRequestedRecords(subjects));
  const isOver = ({ over_ms: overMs }: StoredPersonalRow) => overMs !== null && overMs < overBeforeMs;
  const waiting = rows.filter((row) => !isOver(row) && erasedColumns(place, row, hash).size > 0);
  const subjectsOf = (row: StoredPersonalRow) =>
    [row.transaction_id, row.credit_id, `${place.table} ${row.key.join(' ')}`].filter(
      (each): each is string => each !== null && subjects.includes(each),
    );
  return { due: rows.filter(isOver), waiting: waiting.flatMap(subjectsOf) };
}

// Requests to erase records at once. Two people decide them, or one person in test mode.

/** A repeated request makes the worker check the record again. */
export function requestErasure(
  database: Database,
  { mode, person, subjects }: Extract<SettingWrite, { readonly setting: 'person_erased' }>,
  doing: AuditStamp,
): Promise<boolean> {
  return makeRunAudited(database)(
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
