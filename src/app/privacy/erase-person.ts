// The erasure of one customer: first a preview of what is erased and what stays, and then the request, which in live mode another
// person approves. The request contains only ids of records, so that no proposal and no audit entry contains personal data.
import { type PersonQuery, SETTLE_DELAY_MS } from '../../domain/privacy/person-query.ts';
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
}

/** Records in one request. */
const MAX_SUBJECTS = 1_000;

export interface ErasurePlan {
  readonly person: string;
  readonly mode: Mode;
  /** The number of finished rows in each table. */
  readonly erasable: Readonly<Record<string, number>>;
  /** The records that are open or have just finished; they are erased later. */
  readonly open: readonly string[];
  readonly erasedBefore: number;
  /** The number of rows in each table that are never erased this way. */
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
  const { rows, travelRule, kept } = await findPerson(deps, person, mode);
  const overBeforeMs = deps.clock.now() - SETTLE_DELAY_MS;
  const left = rows.filter(({ erased }) => !erased);
  const isOver = ({ overSinceMs }: PersonalRow) => overSinceMs !== null && overSinceMs < overBeforeMs;
  const subjects = [...new Set(left.map(subjectOf))];
  if (subjects.length > MAX_SUBJECTS)
    return refuse(
      'invalid',
      `There are ${subjects.length} records; one request erases at most ${MAX_SUBJECTS}.`,
    );
  const stays = { travel_rule_records: travelRule.length, ...countLists(kept) };
  return ok({
    ...{ person: pseudonymOf(deps.personalHash, person), mode, subjects },
    erasable: countByPlace(left.filter(isOver)),
    open: [...new Set(left.filter((row) => !isOver(row)).map(subjectOf))],
    erasedBefore: rows.length - left.length,
    stays: Object.fromEntries(Object.entries(stays).filter(([, count]) => count > 0)),
  });
}

export interface ErasureResult {
  readonly outcome: SettingOutcome | null;
  /** The number of rows erased now; null if the erasure was only proposed. */
  readonly erased: number | null;
}

/** Erases a person's data, or proposes the erasure. If there is nothing to erase, it does neither. */
export async function erasePerson(
  deps: ErasePersonDeps,
  { person, mode, subjects }: ErasurePlan,
): Promise<Result<ErasureResult, ReviewRefusal>> {
  if (subjects.length === 0) return ok({ outcome: null, erased: 0 });
  const changed = await changeSetting(deps, { setting: 'person_erased', mode, person, subjects }, deps);
  if (!changed.ok) return fail(changed.error);
  const isDone = changed.value.kind === 'done';
  return ok({ outcome: changed.value, erased: isDone ? await eraseRequestedData(deps) : null });
}

/** A transaction with its related rows, a bank credit without a transaction, or a single row. */
function subjectOf({ transactionId, creditId, place, key }: PersonalRow): string {
  return transactionId ?? creditId ?? `${place} ${key.join(' ')}`;
}

function countByPlace(rows: readonly PersonalRow[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { place } of rows) counts[place] = (counts[place] ?? 0) + 1;
  return counts;
}

function countLists(lists: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length]));
}
