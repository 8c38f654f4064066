// The erasure of one customer: first a preview of what is erased now, what is kept until which day, and what stays, and then the
// request, which in live mode another person approves. The request contains only ids of records, so that no proposal and no audit
// entry contains personal data.
import { decideErasureTime, type PersonQuery } from '../../domain/privacy/person-query.ts';
import { type ReviewRefusal, refuse } from '../../domain/review/proposal.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { PersonalHash, PersonalRow } from '../../ports/privacy.ts';
import { changeSetting, type SettingOutcome } from '../back-office/change-setting.ts';
import type { SettingDeps } from '../back-office/setting-deps.ts';
import { eraseRequestedData } from './erase-due-data.ts';
import { pseudonymOf } from './export-person.ts';
import { type FindPersonDeps, findPerson } from './find-person.ts';

export interface ErasePersonDeps extends FindPersonDeps, SettingDeps {
  readonly personalHash: PersonalHash;
  readonly actor: string;
  /** How long the law requires live records, counted from the end of a transaction. */
  readonly byLawMs: number;
}

const MAX_SUBJECTS = 1_000;

/** The rows of one table that the law requires. The request is stored, and carried out when the time is over. */
export interface KeptRows {
  readonly place: string;
  readonly rows: number;
  /** When the last of them is erased. */
  readonly untilMs: number;
}

export interface ErasurePlan {
  readonly person: string;
  readonly mode: Mode;
  /** The number of rows in each table that are erased now. */
  readonly erasable: Readonly<Record<string, number>>;
  readonly kept: readonly KeptRows[];
  /** When the last of the kept rows is erased; null: none is kept by law. */
  readonly keptUntilMs: number | null;
  /** The records that are open or have just ended. They are erased later. */
  readonly open: readonly string[];
  readonly erasedBefore: number;
  /** The number of rows in each table that such a request never erases. */
  readonly stays: Readonly<Record<string, number>>;
  readonly subjects: readonly string[];
}

export async function planErasure(
  deps: ErasePersonDeps,
  person: PersonQuery,
  mode: Mode,
): Promise<Result<ErasurePlan, ReviewRefusal>> {
  if (person.account === null)
    return refuse('invalid', 'Use the account number: people share names, and others would be erased too.');
  const { rows, travelRule, kept: keptForever } = await findPerson(deps, person, mode);
  const nowMs = deps.clock.now();
  const left = rows.filter(({ erased }) => !erased);
  const dueMsOf = (row: PersonalRow) => decideErasureTime(row, deps.byLawMs);
  const isDue = (row: PersonalRow) => (dueMsOf(row) ?? Number.POSITIVE_INFINITY) <= nowMs;
  const later = left.filter((row) => !isDue(row));
  const kept = countKept(
    later.filter(({ isByLaw }) => isByLaw),
    dueMsOf,
  );
  const subjectOf = makeSubjectOf(left);
  const subjects = [...new Set(left.map(subjectOf))];
  if (subjects.length > MAX_SUBJECTS)
    return refuse(
      'invalid',
      `There are ${subjects.length} records; one request erases at most ${MAX_SUBJECTS}.`,
    );
  const stays = { travel_rule_records: travelRule.length, ...countLists(keptForever) };
  return ok({
    ...{ person: pseudonymOf(deps.personalHash, person), mode, subjects },
    ...{ erasable: countByPlace(left.filter(isDue)), kept },
    keptUntilMs: kept.length === 0 ? null : Math.max(...kept.map(({ untilMs }) => untilMs)),
    open: [...new Set(later.filter((row) => !row.isByLaw || dueMsOf(row) === null).map(subjectOf))],
    erasedBefore: rows.length - left.length,
    stays: Object.fromEntries(Object.entries(stays).filter(([, count]) => count > 0)),
  });
}

export interface ErasureResult {
  readonly outcome: SettingOutcome | null;
  /** The number of rows that were erased now. Null if the erasure was only proposed. */
  readonly erased: number | null;
}

/** Erases a person's data, or proposes the erasure. If there is nothing to erase, it does neither. */
export async function erasePerson(
  deps: ErasePersonDeps,
  { person, mode, subjects, keptUntilMs }: ErasurePlan,
): Promise<Result<ErasureResult, ReviewRefusal>> {
  if (subjects.length === 0) return ok({ outcome: null, erased: 0 });
  const request = { setting: 'person_erased', mode, person, subjects, keptUntilMs } as const;
  const changed = await changeSetting(deps, request, deps);
  if (!changed.ok) return fail(changed.error);
  const isDone = changed.value.kind === 'done';
  return ok({ outcome: changed.value, erased: isDone ? await eraseRequestedData(deps) : null });
}

/**
 * A transaction with its related rows, a bank credit without a transaction, or a single row. A row that stands alone is erased
 * with its record only if that record is erased anyway.
 */
function makeSubjectOf(rows: readonly PersonalRow[]): (row: PersonalRow) => string {
  const recordOf = ({ transactionId, creditId }: PersonalRow) => transactionId ?? creditId;
  const records = new Set(rows.filter(({ standsAlone }) => !standsAlone).map(recordOf));
  return (row) => {
    const record = recordOf(row);
    const isErasedWithIt = record !== null && (!row.standsAlone || records.has(record));
    return isErasedWithIt ? record : `${row.place} ${row.key.join(' ')}`;
  };
}

/** Rows without an end are not counted: they are open. */
function countKept(
  rows: readonly PersonalRow[],
  dueMsOf: (row: PersonalRow) => number | null,
): readonly KeptRows[] {
  const kept = new Map<string, KeptRows>();
  for (const row of rows) {
    const dueMs = dueMsOf(row);
    if (dueMs === null) continue;
    const { place } = row;
    const before = kept.get(place) ?? { rows: 0, untilMs: 0 };
    kept.set(place, { place, rows: before.rows + 1, untilMs: Math.max(before.untilMs, dueMs) });
  }
  return [...kept.values()];
}

function countByPlace(rows: readonly PersonalRow[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { place } of rows) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}

function countLists(lists: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length]));
}
