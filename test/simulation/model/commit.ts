// Commits changes like the adapter. Changes of one record go into different statements. A statement that a rule forbids is
// halved until only the forbidden change is refused. The position of the feed moves with the last statement.
import { ruleOfConstraint } from '../../../src/adapters/postgres/commit/commit-part.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import { formatLedgerAccount } from '../../../src/domain/records/naira-move.ts';
import type { CommitOutcome, FeedLease } from '../../../src/ports/store/commit.ts';
import { runStatement } from './statement.ts';
import type { Memory } from './tables.ts';

export interface Placed {
  readonly change: Change;
  readonly at: number;
}

const COMMITTED: CommitOutcome = { kind: 'committed' };
const STALE: CommitOutcome = { kind: 'stale' };
/**
 * These rules fail only if one change records the same thing twice. The adapter retries such a change and finally refuses it.
 */
const ONCE = new Set([
  ...['bank_credits_once', 'deposits_once', 'bank_notices_once', 'naira_moves_once'],
  'credit_reports_once',
]);
const MAX_RETRIES = 5;

export function commit(
  memory: Memory,
  changes: readonly Change[],
  feed: { readonly hold: FeedLease; readonly position: string } | undefined,
  onApplied: ((change: Change) => void) | undefined,
): readonly CommitOutcome[] {
  const outcomes: CommitOutcome[] = new Array(changes.length);
  if (changes.length === 1) commitRound(memory, [{ change: changes[0]!, at: 0 }], outcomes, onApplied);
  else for (const round of withoutRepeats(changes)) commitRound(memory, round, outcomes, onApplied);
  // A refused line is not stored yet, so the position does not move.
  if (feed !== undefined && !outcomes.some(({ kind }) => kind === 'refused'))
    movePosition(memory, feed.hold, feed.position);
  return outcomes;
}

function movePosition({ feeds }: Memory, hold: FeedLease, position: string): void {
  const there = feeds.get(hold.name);
  if (there?.fence === hold.fence) feeds.set(hold.name, { ...there, position });
}

/** Puts at most one change per record into a statement. A later change of the record goes into the next statement. */
export function withoutRepeats(changes: readonly Change[]): Placed[][] {
  const rounds: { placed: Placed[]; ids: Set<string> }[] = [];
  for (const [at, change] of changes.entries()) {
    const ids = recordsOf(change);
    let round = rounds.find((each) => !ids.some((id) => each.ids.has(id)));
    if (round === undefined) {
      round = { placed: [], ids: new Set() };
      rounds.push(round);
    }
    round.placed.push({ change, at });
    for (const id of ids) round.ids.add(id);
  }
  return rounds.map(({ placed }) => placed);
}

/** Returns the records that no other change in the same statement may write. */
function recordsOf(change: Change): string[] {
  const ids: string[] = [];
  for (const { after } of change.transactions ?? []) ids.push(after.id);
  for (const { after } of change.credits ?? []) ids.push(after.id);
  for (const { after } of change.deposits ?? []) ids.push(after.id);
  for (const { after } of change.movements ?? []) ids.push(after.id);
  for (const { after } of change.notices ?? []) ids.push(after.id);
  for (const { after } of change.reports ?? []) ids.push(after.id);
  for (const { source, sourceId } of change.newReports ?? []) ids.push(`${source} ${sourceId}`);
  for (const { source, sourceId } of change.newCredits ?? []) ids.push(`${source} ${sourceId}`);
  for (const { source, sourceId } of change.newNotices ?? []) ids.push(`${source} ${sourceId}`);
  for (const { network, txHash, txIndex } of change.newDeposits ?? [])
    ids.push(`${network} ${txHash} ${txIndex}`);
  const { nairaMove } = change;
  if (nairaMove !== undefined) ids.push(`${formatLedgerAccount(nairaMove.account)} ${nairaMove.reference}`);
  for (const { movementId, no } of change.attempts ?? []) ids.push(`${movementId} ${no}`);
  for (const { id } of change.closeCases ?? []) ids.push(id);
  return ids;
}

function commitRound(
  memory: Memory,
  placed: readonly Placed[],
  outcomes: CommitOutcome[],
  onApplied: ((change: Change) => void) | undefined,
): void {
  const changes = placed.map(({ change }) => change);
  let result = runStatement(memory, changes);
  for (let retries = 0; ONCE.has(result.refusedBy ?? '') && retries < MAX_RETRIES; retries++)
    result = runStatement(memory, changes);
  const { refusedBy, stale } = result;
  if (refusedBy === null) {
    for (const [unit, { change, at }] of placed.entries()) {
      outcomes[at] = stale.has(unit) ? STALE : COMMITTED;
      if (!stale.has(unit)) onApplied?.(change);
    }
    return;
  }
  if (placed.length === 1) {
    outcomes[placed[0]!.at] = { kind: 'refused', rule: ruleOfConstraint(refusedBy), constraint: refusedBy };
    return;
  }
  const middle = placed.length >> 1;
  commitRound(memory, placed.slice(0, middle), outcomes, onApplied);
  commitRound(memory, placed.slice(middle), outcomes, onApplied);
}
