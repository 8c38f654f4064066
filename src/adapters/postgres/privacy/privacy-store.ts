// Stores what concerns customers' personal data in PostgreSQL: the batches of the erasing worker, requested erasures, and the
// search for one person.
import { randomUUID } from 'node:crypto';
import { groupRequestedRecords } from '../../../domain/privacy/person-query.ts';
import type {
  ErasedBatch,
  ErasureLimits,
  PersonalHash,
  PrivacyProgress,
  PrivacyStore,
} from '../../../ports/privacy.ts';
import type { Database } from '../connection/database.ts';
import { STORED_VALUES } from '../connection/erased-values.ts';
import { dueAtMs, isDue } from './due-rows.ts';
import { eraseDueRows } from './erase-due.ts';
import { type ErasureContext, eraseRows, recordErasure } from './erase-rows.ts';
import { openRequests } from './erasure-requests.ts';
import { findBelongingRows, findPerson, findRowsOfRecords } from './find-person.ts';
import type { PersonalPlace } from './personal-place.ts';
import { PERSONAL_PLACES } from './personal-places.ts';
import { erasedColumns, type StoredPersonalRow } from './personal-row-sql.ts';

const REQUESTS_AT_ONCE = 50;
const LOOK_AGAIN_MS = 3_600_000;
/** A record that is kept for years is looked at again after this time, because the setting may have changed meanwhile. */
const LOOK_AGAIN_BY_LAW_MS = 30 * 86_400_000;

export function makePrivacyStore(database: Database, hash: PersonalHash): PrivacyStore {
  const walked = PERSONAL_PLACES.filter(({ onlyAsked }) => onlyAsked === undefined);
  return {
    places: walked.map(({ table }) => table),
    eraseDue: (table, limits) => {
      const place = walked.find((each) => each.table === table)!;
      return eraseDueRows(database, hash, { place, ...limits, batch: randomUUID() });
    },
    eraseRequested: (limits) => eraseRequested(database, hash, limits),
    openRequests: () => openRequests(database),
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
      const { rows } = await database.query<{ audit: string[]; proposals: string[]; decisions: string[] }>({
        text: `select array(select no::text from audit_log where strpos(detail::text, $1) > 0 order by audit_log.no) as audit,
          array(select id from proposals where strpos(detail::text, $1) > 0 order by id) as proposals,
          array(select proposal_id from proposal_decisions where strpos(reason, $1) > 0 order by proposal_id) as decisions`,
        values: [account],
      });
      const { audit, proposals, decisions } = rows[0]!;
      return { audit_log: audit, proposals, proposal_decisions: decisions };
    },
  };
}

/** A record that may not be erased yet keeps its request and is checked again later. */
async function eraseRequested(
  database: Database,
  hash: PersonalHash,
  limits: ErasureLimits,
): Promise<ErasedBatch> {
  const { nowMs } = limits;
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
    const looks = new Map<string, number>();
    for (const place of PERSONAL_PLACES) {
      const { due, waiting } = await requestedRows(erasing, place, subjects, limits);
      for (const { subject, lookAtMs } of waiting)
        looks.set(subject, Math.min(lookAtMs, looks.get(subject) ?? lookAtMs));
      const erased = await eraseRows(erasing, place, due, batch);
      if (erased > 0) places[place.table] = erased;
    }
    await client.query(
      `update privacy_requests r set
        done_at = case when i.look is null then to_timestamp($3::float8 / 1000) end,
        look_at = coalesce(to_timestamp(i.look / 1000), r.look_at)
        from unnest($1::text[], $2::float8[]) i (subject, look) where r.subject = i.subject`,
      [subjects, subjects.map((subject) => looks.get(subject) ?? null), nowMs],
    );
    const erased = Object.values(places).reduce((sum, each) => sum + each, 0);
    if (erased > 0) await recordErasure(erasing, places, batch);
    return { seen: subjects.length, erased };
  });
}

interface WaitingSubject {
  readonly subject: string;
  readonly lookAtMs: number;
}

async function requestedRows(
  { client, hash }: ErasureContext,
  place: PersonalPlace,
  subjects: readonly string[],
  given: ErasureLimits,
): Promise<{ readonly due: readonly StoredPersonalRow[]; readonly waiting: readonly WaitingSubject[] }> {
  const { nowMs } = given;
  const limits = place.atOnce === true ? { ...given, overBeforeMs: nowMs } : given;
  const run = async (text: string, values: unknown[]) =>
    (await client.query<StoredPersonalRow>({ text, values, types: STORED_VALUES })).rows;
  const rows = await findBelongingRows(run, place, groupRequestedRecords(subjects));
  const waiting = rows.filter((row) => !isDue(row, limits) && erasedColumns(place, row, hash).size > 0);
  const subjectsOf = (row: StoredPersonalRow) => {
    const dueMs = dueAtMs(row, limits);
    const lookAtMs = dueMs === null ? nowMs + LOOK_AGAIN_MS : Math.min(dueMs, nowMs + LOOK_AGAIN_BY_LAW_MS);
    return [row.transaction_id, row.credit_id, `${place.table} ${row.key.join(' ')}`]
      .filter((each): each is string => each !== null && subjects.includes(each))
      .map((subject) => ({ subject, lookAtMs }));
  };
  return { due: rows.filter((row) => isDue(row, limits)), waiting: waiting.flatMap(subjectsOf) };
}
