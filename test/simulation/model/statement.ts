// Models one commit statement, which skips stale changes. Either it writes all other changes, or it writes none and returns the
// violated rule. PostgreSQL runs the writes of a statement from the last to the first, and checks foreign keys and the balance
// of entries at the end. The statement returns the first violated rule in this order.
import type { Change } from '../../../src/domain/records/change.ts';
import { type Journal, takeBack, type Write } from './journal.ts';
import { addReports, moveReports, sourceOfReport } from './reports.ts';
import type { Memory } from './tables.ts';
import { unwritable } from './unwritable.ts';
import { brokenCondition, makeAccounts, negativeAccount, unbalanced, writeEntries } from './write-ledger.ts';
import {
  closeCases,
  isUndecidable,
  lineOf,
  writeCase,
  writeDecision,
  writeDoubt,
  writeEnded,
  writeFreeze,
  writeKey,
  writeMatch,
  writeNairaMove,
  writeQuarantine,
  writeUsage,
} from './write-marks.ts';
import { moveCredits, moveDeposits, moveMovements, moveNotices, moveTransactions } from './write-moves.ts';
import {
  addCredits,
  addDeposits,
  addMovements,
  addNotices,
  sourceOfCredit,
  sourceOfDeposit,
  sourceOfNotice,
  writeAttempts,
  writeReplacements,
} from './write-records.ts';

const WRITES: readonly (readonly [keyof Change, Write])[] = [
  ['idempotency', writeKey],
  ['decision', writeDecision],
  ['freeze', writeFreeze],
  ['doubt', writeDoubt],
  ['attempts', writeEnded],
  ['closeCases', closeCases],
  ['openCase', writeCase],
  ['usage', writeUsage],
  ['quarantine', writeQuarantine],
  ['match', writeMatch],
  ['nairaMove', writeNairaMove],
  ['replacements', writeReplacements],
  ['attempts', writeAttempts],
  ['newMovements', addMovements],
  ['newNotices', addNotices],
  ['newDeposits', addDeposits],
  ['newCredits', addCredits],
  ['newReports', addReports],
  ['reports', moveReports],
  ['notices', moveNotices],
  ['movements', moveMovements],
  ['deposits', moveDeposits],
  ['credits', moveCredits],
  ['transactions', moveTransactions],
  ['entries', writeEntries],
  ['conditions', brokenCondition],
  ['entries', negativeAccount],
  ['decision', isUndecidable],
  ['entries', unbalanced],
];

export interface StatementResult {
  readonly refusedBy: string | null;
  readonly stale: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();

export function runStatement(memory: Memory, changes: readonly Change[]): StatementResult {
  for (const change of changes) makeAccounts(memory, change);
  for (const change of changes) {
    const refusedBy = unwritable(change);
    if (refusedBy !== null) return { refusedBy, stale: NONE };
  }
  let stale = NONE;
  for (let unit = 0; unit < changes.length; unit++) {
    if (!isStale(memory, changes[unit]!)) continue;
    if (stale === NONE) stale = new Set();
    (stale as Set<number>).add(unit);
  }
  const holding = stale === NONE ? changes : changes.filter((_, unit) => !stale.has(unit));
  return { refusedBy: holding.length === 0 ? null : write(memory, holding), stale };
}

function write(memory: Memory, changes: readonly Change[]): string | null {
  const journal: Journal = [];
  for (const [kind, writeKind] of WRITES) {
    if (!changes.some((change) => change[kind] !== undefined)) continue;
    const refusedBy = writeKind(memory, changes, journal);
    if (refusedBy === null) continue;
    takeBack(journal);
    return refusedBy;
  }
  return null;
}

function isStale(memory: Memory, change: Change): boolean {
  const { transactions, credits, deposits, movements, notices, reports, sources } = memory;
  for (const { version, after } of change.transactions ?? [])
    if (transactions.rows.get(after.id)?.version !== version) return true;
  for (const { version, after } of change.credits ?? [])
    if (credits.rows.get(after.id)?.version !== version) return true;
  for (const { version, after } of change.deposits ?? [])
    if (deposits.rows.get(after.id)?.version !== version) return true;
  for (const { version, after } of change.movements ?? [])
    if (movements.rows.get(after.id)?.version !== version) return true;
  for (const { version, after } of change.notices ?? [])
    if (notices.rows.get(after.id)?.version !== version) return true;
  for (const { version, after } of change.reports ?? [])
    if (reports.rows.get(after.id)?.version !== version) return true;
  for (const each of change.newReports ?? []) if (sources.has(sourceOfReport(each))) return true;
  for (const { id } of change.closeCases ?? []) if (!memory.cases.has(id)) return true;
  for (const each of change.newCredits ?? []) if (sources.has(sourceOfCredit(each))) return true;
  for (const each of change.newDeposits ?? []) if (sources.has(sourceOfDeposit(each))) return true;
  for (const each of change.newNotices ?? []) if (sources.has(sourceOfNotice(each))) return true;
  if (change.nairaMove !== undefined && sources.has(lineOf(change.nairaMove))) return true;
  return false;
}
