// Merges the days of a statement file with the stored days. It decides which rows are new, whether the balances of a day are
// right, and whether the day is complete.
import type { FileDay } from '../../domain/statements/coverage.ts';
import { type DayVerdict, judgeDay } from '../../domain/statements/judge-day.ts';
import { type MergeResult, mergeDay } from '../../domain/statements/merge-day.ts';
import { mayContinue, recogniseNotices } from '../../domain/statements/notice-rows.ts';
import type { DayToMerge, ImportSession, StatementFile } from '../../ports/statements.ts';
import type { RowProblems } from './read-statement-file.ts';

export interface MergeRun {
  readonly session: ImportSession;
  readonly file: StatementFile;
  readonly newestFirst: boolean;
  readonly problems: RowProblems;
  /** The days for which the file contradicts itself about the direction of a row, each with the reason. */
  readonly held: ReadonlyMap<string, string>;
  readonly write: boolean;
  readonly nowMs: () => number;
}

/** The new rows of a file, by the direction of their money. */
export interface NewRows {
  readonly incoming: number;
  readonly incomingMinor: bigint;
  readonly outgoing: number;
  readonly outgoingMinor: bigint;
}

const NO_ROWS: NewRows = { incoming: 0, incomingMinor: 0n, outgoing: 0, outgoingMinor: 0n };

export interface MergedDays {
  readonly newRows: NewRows;
  readonly rowsNew: number;
  readonly rowsKnown: number;
  readonly gaps: number;
  readonly incomplete: readonly string[];
}

export async function mergeDays(run: MergeRun, days: readonly FileDay[]): Promise<MergedDays> {
  const sum = { newRows: NO_ROWS, rowsNew: 0, rowsKnown: 0, gaps: 0, incomplete: [] as string[] };
  for (const day of addHeldDays(days, run.held)) {
    const merged = await mergeFileDay(run, day);
    sum.newRows = merged.addedMinor.reduce(countRow, sum.newRows);
    sum.rowsNew += merged.addedMinor.length;
    sum.rowsKnown += merged.known;
    if (merged.isGap) sum.gaps++;
    if (!merged.isComplete && day.rows > 0) sum.incomplete.push(day.day);
  }
  const last = days.at(-1)?.day;
  if (last !== undefined) await rejudgeNextDay(run, last);
  return sum;
}

function countRow(rows: NewRows, minor: bigint): NewRows {
  return minor > 0n
    ? { ...rows, incoming: rows.incoming + 1, incomingMinor: rows.incomingMinor + minor }
    : { ...rows, outgoing: rows.outgoing + 1, outgoingMinor: rows.outgoingMinor - minor };
}

const NO_BALANCES = { openingMinor: null, closingMinor: null };

/** A day with a contradiction is on hold even if the file has no other row for it. */
function addHeldDays(days: readonly FileDay[], held: ReadonlyMap<string, string>): readonly FileDay[] {
  const more = [...held.keys()].filter((day) => !days.some((each) => each.day === day));
  return [
    ...days,
    ...more.map((day): FileDay => ({ day, ...NO_BALANCES, rows: 0, isWhole: false, sums: null })),
  ];
}

interface MergeDayResult {
  /** The amount of each new row. */
  readonly addedMinor: readonly bigint[];
  readonly known: number;
  readonly isGap: boolean;
  readonly isComplete: boolean;
}

async function mergeFileDay(run: MergeRun, day: FileDay): Promise<MergeDayResult> {
  const hand = await run.session.dayAtHand(day.day, run.newestFirst);
  const { stored, before, isOnePiece } = hand;
  if (before !== null && stored.length > 0 && !mayContinue(before.profile, run.file.profile)) {
    const { shown } = hand;
    const reason = `the rows of ${day.day} were read with the profile ${before.profile}: a day cannot be continued with another profile`;
    if (shown.length > 0) run.problems.add({ line: shown[0]!.line, column: 1, reason });
    return { addedMinor: [], known: 0, isGap: before.state === 'gap', isComplete: before.complete };
  }
  const notices = recogniseNotices(stored, hand.shown, run.file.profile);
  const shown = notices.rows;
  const merged: MergeResult =
    notices.doubtful > 0
      ? { kind: 'contradiction', onlyHere: notices.doubtful, onlyStored: notices.doubtful }
      : mergeDay(stored, shown, { isWhole: day.isWhole, isOnePiece });
  const isContradiction = merged.kind === 'contradiction';
  if (isContradiction && notices.doubtful > 0)
    run.problems.add({ line: shown[0]!.line, column: 1, reason: noticesReason(day.day, notices.doubtful) });
  else if (isContradiction) {
    const reason = `${day.day}: ${merged.onlyHere} rows of this file are not among the rows already imported, and ${merged.onlyStored} of those are not in this file, although both cover the whole day; no row of this day was imported`;
    run.problems.add({ line: shown[0]!.line, column: 1, reason });
  }
  const add = isContradiction ? [] : merged.add;
  const rows = [...stored, ...add.map(({ index }) => shown[index]!)];
  const first = shown[0];
  const hintMinor = first?.balanceMinor == null ? null : first.balanceMinor - first.amountMinor;
  const start = { previousMinor: hand.previousClosingMinor, hintMinor: before?.openingMinor ?? hintMinor };
  const isCut = !isContradiction && merged.cut > 0;
  if (isCut)
    run.problems.add({ line: shown[0]!.line, column: 1, reason: cutRowsReason(day.day, merged.cut) });
  const doubt =
    run.held.get(day.day) ?? (isCut ? CUT_ROWS_DOUBT : day.isWhole ? null : (before?.doubt ?? null));
  const judged = isContradiction
    ? { ...(before ?? NO_BALANCES), state: 'gap' as const, gap: 'Files of the same day show different rows.' }
    : judgeDay({
        ...{ rows, start, file: day, added: add.length },
        // The service checks a doubtful day again without its earlier results.
        before: before === null || before.doubt !== null ? null : before,
      });
  const verdict = applyDoubt(judged, doubt);
  const complete =
    !isContradiction &&
    doubt === null &&
    (day.isWhole || before?.complete === true || joinsNeighbours(hand, verdict, rows));
  if (run.write)
    await run.session.writeDay(
      run.file,
      {
        day: day.day,
        add: add.map((each) => ({ ...each, seq: shown[each.index]!.seq })),
        ...{ verdict, doubt, complete },
        rows: rows.length,
      },
      run.newestFirst,
      run.nowMs(),
    );
  return {
    addedMinor: add.map(({ index }) => shown[index]!.amountMinor),
    known: shown.length - add.length,
    isGap: verdict.state === 'gap',
    isComplete: complete,
  };
}

function noticesReason(day: string, rows: number): string {
  return `${day}: ${rows} ${rows === 1 ? 'row has' : 'rows have'} the amount of a row of a notice or statement that was imported before, but no common reference, so the same payment may be in both; no row of this day was imported`;
}

const CUT_ROWS_DOUBT =
  'Two files show rows with the same amount, and the narration of one begins with the narration of the other: a file may have ended too early. Import a file that shows the whole day.';

function cutRowsReason(day: string, rows: number): string {
  return `${day}: ${rows} ${rows === 1 ? 'row has' : 'rows have'} the amount of a row already imported and a longer or shorter narration: the file of one of them may have ended too early. They were not imported, and the day has the state "gap" until a file shows the whole day`;
}

/**
 * A doubtful day is on hold even if its balances are right. It stays on hold until a file shows the whole day without the
 * doubt.
 */
function applyDoubt(judged: DayVerdict, doubt: string | null): DayVerdict {
  return doubt === null ? judged : { ...judged, state: 'gap', gap: doubt };
}

/**
 * Nothing is missing if this day begins with the closing balance of the previous day and ends with the opening balance of the
 * next day.
 */
function joinsNeighbours(
  { previousClosingMinor, nextOpeningMinor }: DayToMerge,
  {
    openingMinor,
    closingMinor,
  }: { readonly openingMinor: bigint | null; readonly closingMinor: bigint | null },
  rows: readonly { readonly balanceMinor: bigint | null }[],
): boolean {
  if (openingMinor === null || closingMinor === null || rows.some((row) => row.balanceMinor === null))
    return false;
  return previousClosingMinor === openingMinor && nextOpeningMinor === closingMinor;
}

/**
 * Checks the day after a statement file again. That day must begin with the closing balance of the file. The check may close a
 * gap or reveal one.
 */
async function rejudgeNextDay(run: MergeRun, last: string): Promise<void> {
  if (!run.write) return;
  const next = await run.session.nextDay(last);
  if (next === null) return;
  const hand = await run.session.dayAtHand(next, run.newestFirst);
  const { before, stored } = hand;
  if (before === null || hand.shown.length > 0) return;
  const start = { previousMinor: hand.previousClosingMinor, hintMinor: before.openingMinor };
  const { doubt } = before;
  const verdict = applyDoubt(judgeDay({ rows: stored, start, file: null, added: 0, before }), doubt);
  const complete = before.complete || joinsNeighbours(hand, verdict, stored);
  const file = { ...run.file, profile: before.profile };
  const write = { day: next, add: [], verdict, doubt, complete, rows: stored.length };
  await run.session.writeDay(file, write, run.newestFirst, run.nowMs());
}
