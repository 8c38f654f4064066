// Commits changes with one round trip and one fsync, whether there are ten changes or a thousand. A change that a constraint
// forbids aborts the whole statement. Then the batch is halved until only that change is refused.
import type { Change } from '../../../domain/records/change.ts';
import { formatLedgerAccount } from '../../../domain/records/naira-move.ts';
import type { CommitOutcome, FeedLease } from '../../../ports/store/commit.ts';
import { type Database, sqlState } from '../connection/database.ts';
import type { AccountNumbers } from './account-numbers.ts';
import { ruleOfConstraint } from './commit-part.ts';
import {
  type FeedMove,
  makeCommitQuery,
  type NumberedCondition,
  type NumberedEntry,
  type NumberedLedgerRows,
  type NumberedPosting,
  UNIQUE_INDEXES,
} from './commit-statement.ts';

const RETRYABLE_STATES = /^40/;
/**
 * SQLSTATE codes for a violated constraint, or for a value that cannot be stored (such as a NUL in a text). A retry of such a
 * change cannot succeed.
 */
const FORBIDDEN_STATES = /^(22|23|P0001)/;
const MAX_RETRIES = 5;

/** A change and its index in the call. If a caller passes the same change twice, each gets its own outcome. */
interface IndexedChange {
  readonly change: Change;
  readonly at: number;
}

export async function commitChanges(
  database: Database,
  numbers: AccountNumbers,
  changes: readonly Change[],
  feed?: { readonly hold: FeedLease; readonly position: string },
): Promise<readonly CommitOutcome[]> {
  const outcomes: CommitOutcome[] = new Array(changes.length);
  const rounds = splitIntoRounds(changes);
  const move = feed && { name: feed.hold.name, fence: feed.hold.fence, position: feed.position };
  for (const [index, round] of rounds.entries()) {
    const last = index === rounds.length - 1;
    // The line of a refused change is not stored yet, so the position of the feed must stay before this line.
    const mayMove = last && !outcomes.some((each) => each?.kind === 'refused');
    await commitRound(database, numbers, round, mayMove ? move : undefined, outcomes);
  }
  if (rounds.length === 0 && move !== undefined) await commitRound(database, numbers, [], move, outcomes);
  return outcomes;
}

/**
 * Splits the changes so that a statement has at most one change per record. A later change of the same record goes into the
 * next statement and is stale there.
 */
function splitIntoRounds(changes: readonly Change[]): IndexedChange[][] {
  const rounds: { placed: IndexedChange[]; ids: Set<string> }[] = [];
  for (const [at, change] of changes.entries()) {
    const ids = recordKeysOf(change);
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

/** The keys of records that no other change in the same statement may write. */
function recordKeysOf(change: Change): string[] {
  const ids = [
    ...(change.transactions ?? []),
    ...(change.credits ?? []),
    ...(change.deposits ?? []),
    ...(change.movements ?? []),
    ...(change.notices ?? []),
  ].map(({ after }) => after.id);
  for (const { after } of change.reports ?? []) ids.push(after.id);
  for (const credit of change.newCredits ?? []) ids.push(`${credit.source} ${credit.sourceId}`);
  for (const report of change.newReports ?? []) ids.push(`${report.source} ${report.sourceId}`);
  for (const notice of change.newNotices ?? []) ids.push(`${notice.source} ${notice.sourceId}`);
  for (const deposit of change.newDeposits ?? [])
    ids.push(`${deposit.network} ${deposit.txHash} ${deposit.txIndex}`);
  for (const attempt of change.attempts ?? []) ids.push(`${attempt.movementId} ${attempt.no}`);
  for (const { id } of change.closeCases ?? []) ids.push(id);
  for (const { network, hash } of [...(change.setUps ?? []), ...(change.setUpEnds ?? [])])
    ids.push(`${network} ${hash}`);
  const { nairaMove } = change;
  if (nairaMove !== undefined) ids.push(`${formatLedgerAccount(nairaMove.account)} ${nairaMove.reference}`);
  for (const { network, txHash } of change.resume?.accepted ?? []) ids.push(`${network} ${txHash}`);
  return ids;
}

async function commitRound(
  database: Database,
  numbers: AccountNumbers,
  placed: readonly IndexedChange[],
  feed: FeedMove | undefined,
  outcomes: CommitOutcome[],
  retries = 0,
): Promise<void> {
  try {
    const stale = await writeChanges(
      database,
      numbers,
      placed.map(({ change }) => change),
      feed,
    );
    for (const [unit, { at }] of placed.entries()) outcomes[at] = stale.has(unit) ? STALE : COMMITTED;
  } catch (error) {
    const state = sqlState(error) ?? '';
    const { constraint = state } = error as { constraint?: string };
    if ((RETRYABLE_STATES.test(state) || UNIQUE_INDEXES.has(constraint)) && retries < MAX_RETRIES) {
      return commitRound(database, numbers, placed, feed, outcomes, retries + 1);
    }
    if (!FORBIDDEN_STATES.test(state)) throw error;
    if (placed.length === 1) {
      outcomes[placed[0]!.at] = { kind: 'refused', rule: ruleOfConstraint(constraint), constraint };
      return;
    }
    const middle = placed.length >> 1;
    await commitRound(database, numbers, placed.slice(0, middle), undefined, outcomes);
    await commitRound(database, numbers, placed.slice(middle), undefined, outcomes);
    // All changes together were refused, but each part alone was accepted. So another process caused the refusal, and the
    // position of the feed may move.
    if (feed !== undefined && placed.every(({ at }) => outcomes[at]!.kind !== 'refused'))
      await writeChanges(database, numbers, [], feed);
  }
}

const COMMITTED: CommitOutcome = { kind: 'committed' };
const STALE: CommitOutcome = { kind: 'stale' };

/** Returns the numbers of the changes that are stale. */
async function writeChanges(
  database: Database,
  numbers: AccountNumbers,
  changes: readonly Change[],
  feed: FeedMove | undefined,
): Promise<ReadonlySet<number>> {
  const numbered = await numberLedgerRows(numbers, changes);
  const { rows } = await database.query<{ unit: number }>(makeCommitQuery(changes, numbered, feed));
  return new Set(rows.map((row) => row.unit));
}

/** Accounts that appear only in a condition are created too, because a missing row cannot be locked. */
async function numberLedgerRows(
  numbers: AccountNumbers,
  changes: readonly Change[],
): Promise<NumberedLedgerRows> {
  const entries: NumberedEntry[] = [];
  const postings: NumberedPosting[] = [];
  const conditions: NumberedCondition[] = [];
  const posted = changes.flatMap(
    (change) => change.entries?.filter((entry) => entry.postings.length > 0) ?? [],
  );
  const keys = [
    ...posted.flatMap((entry) => entry.postings.map(({ account }) => account)),
    ...changes.flatMap((change) => change.conditions?.flatMap(({ notNegative }) => notNegative) ?? []),
  ];
  if (keys.length === 0) return { entries, postings, conditions };
  const accounts = await numbers.accounts(keys);
  const ids = (await numbers.entries(posted.length)).values();
  let no = 0;
  for (const [unit, change] of changes.entries()) {
    for (const entry of change.entries ?? []) {
      if (entry.postings.length === 0) continue;
      const id = ids.next().value!;
      entries.push({ unit, id, ...entry, atMs: change.atMs });
      for (const { account, amountMinor } of entry.postings)
        postings.push({ unit, entryId: id, accountId: accounts.get(account)!, amountMinor });
    }
    for (const { notNegative } of change.conditions ?? []) {
      for (const account of notNegative) conditions.push({ unit, no, accountId: accounts.get(account)! });
      no++;
    }
  }
  return { entries, postings, conditions };
}
