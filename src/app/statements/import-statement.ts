// Imports one statement file of an account. An import can be repeated at any time: a truncated or overlapping file adds only what
// is missing. If the account has no credit source, a person must confirm the import first.
import type { BankDirectory } from '../../domain/catalogue/banks.ts';
import type { FileCoverage } from '../../domain/statements/coverage.ts';
import { mayContinue } from '../../domain/statements/notice-rows.ts';
import { lagosDay } from '../../domain/values/calendar.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import {
  type ImportSession,
  type OpenedStatement,
  type StatementFile,
  type StatementReaders,
  StatementReadersBusy,
  type StatementStore,
  UnreadableStatement,
} from '../../ports/statements.ts';
import type { Store } from '../../ports/store/store.ts';
import { type CountedBytes, countBytes, makeProgressReport } from './count-bytes.ts';
import { findSourceQuestion, NO_SOURCE_PROBLEM } from './find-source-question.ts';
import type { StatementAccount, StatementRefusal } from './find-statement-account.ts';
import { mergeDays, type NewRows } from './merge-days.ts';
import { readStatementFile, type StatementReadResult } from './read-statement-file.ts';

export interface ImportStatementDeps {
  readonly store: Pick<Store, 'creditSources'>;
  readonly statements: StatementStore;
  readonly statementReaders: StatementReaders;
  readonly banks: Pick<BankDirectory, 'resolve'>;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

export interface ImportRequest {
  readonly account: StatementAccount;
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The size of the file; null: unknown. */
  readonly size?: number | null;
  readonly profile: string | null;
  /** True if the operator intends to use another statement profile than for the last file. */
  readonly profileChange: boolean;
  /** The file names several accounts; only the rows of this one are read. */
  readonly isOneOfMany?: boolean;
  readonly dryRun: boolean;
  /**
   * The number of new incoming rows for which a person confirmed an import without a credit source; null: no person confirmed one.
   */
  readonly withoutSource?: number | null;
  readonly actor: string;
  readonly onProgress?: (progress: { readonly bytes: number; readonly rows: number }) => void;
}

export interface ImportSummary {
  /** The file or, if the file was imported before, the earlier import. */
  readonly file: StatementFile;
  readonly isSame: boolean;
  readonly isDryRun: boolean;
  /** Nothing was stored: two people must first confirm the totals of the file, because its profile is unverified. */
  readonly needsConfirmation: boolean;
  readonly pending: number;
  readonly days: number;
  /** The number of days whose new rows are on hold. */
  readonly gaps: number;
  /** The days that files cover only in part. */
  readonly incompleteDays: readonly string[];
  /**
   * The new rows of a file whose account has no credit source: nothing was imported, and a person must confirm the number of
   * incoming rows. Null: nothing has to be asked, or people must first confirm the totals.
   */
  readonly question: NewRows | null;
}

export async function importStatement(
  deps: ImportStatementDeps,
  request: ImportRequest,
): Promise<Result<ImportSummary, StatementRefusal>> {
  const { mode, account } = request.account;
  const counted = countBytes(request.bytes);
  try {
    const done = await deps.statements.withImport(mode, account, async (session) => {
      const last = await session.lastProfile();
      const opened = await deps.statementReaders.open(counted.bytes, request.profile, last);
      try {
        return await importOpenedFile(deps, request, session, { opened, last }, counted);
      } finally {
        await opened.close();
      }
    });
    return done ?? fail({ code: 'state_conflict', message: BEING_IMPORTED });
  } catch (error) {
    if (error instanceof UnreadableStatement) return fail({ code: 'invalid', message: error.message });
    if (error instanceof StatementReadersBusy)
      return fail({ code: 'state_conflict', message: error.message });
    throw error;
  }
}

const BEING_IMPORTED = 'Another statement of this account is being imported. Try again when it is done.';

async function importOpenedFile(
  deps: ImportStatementDeps,
  request: ImportRequest,
  session: ImportSession,
  { opened, last }: { readonly opened: OpenedStatement; readonly last: string | null },
  counted: CountedBytes,
): Promise<Result<ImportSummary, StatementRefusal>> {
  if (last !== null && !mayContinue(last, opened.profile) && !request.profileChange)
    return fail({ code: 'state_conflict', message: profileChangedMessage(last, opened.profile) });
  const started = newStatementFile(deps, request, opened);
  if (!request.dryRun) await session.begin(started);
  try {
    const read = await readStatementFile(opened, request.account, session, {
      isBank: (text) => deps.banks.resolve(text) !== undefined,
      today: lagosDay(started.startedAtMs),
      onRows: makeProgressReport(deps, request, session, started.id, counted),
      isOneOfMany: request.isOneOfMany ?? false,
    });
    const digest = counted.digest();
    if (!read.namesAccount) await refuseFileOfOtherAccount(session, digest);
    const file = { ...started, digest, bytesRead: counted.count() };
    return ok(await settleFile(deps, request, session, file, opened, read));
  } catch (error) {
    if (!request.dryRun) await markFailed(deps, session, started, error);
    throw error;
  }
}

/** The same transfers must not count for two accounts. */
async function refuseFileOfOtherAccount(session: ImportSession, digest: string): Promise<void> {
  const other = await session.otherAccountOf(digest);
  if (other === null) return;
  throw new UnreadableStatement(
    `The same file was imported for the account ${other}, and it names no account itself. Nothing was imported.`,
  );
}

function profileChangedMessage(last: string, profile: string): string {
  return `The last file of this account was read with the profile ${last}, and this one would be read with ${profile}. Profiles write narrations and balances differently, so known rows would look new. If the bank changed its format, import the file with --profile-change: days that already have rows are then left unchanged.`;
}

function newStatementFile(
  deps: ImportStatementDeps,
  request: ImportRequest,
  { format, profile }: OpenedStatement,
): StatementFile {
  const atMs = deps.clock.now();
  const { mode, account, vendorId } = request.account;
  return {
    id: makeId('stf', atMs, deps.entropy.bytes(ID_RANDOM_BYTES)),
    ...{ mode, account, vendorId, format, profile, importedBy: request.actor },
    name: request.name.replaceAll(/\p{Cc}/gu, '').slice(0, 200) || 'file',
    ...{ digest: null, startedAtMs: atMs, endedAtMs: null, state: 'reading' },
    ...{
      rowsRead: 0,
      bytesRead: 0,
      bytesTotal: request.size ?? null,
      rowsNew: 0,
      rowsKnown: 0,
      fromDay: null,
      toDay: null,
      totals: null,
      awaitsConfirmation: false,
      problems: { total: 0, list: [] },
    },
  };
}

async function settleFile(
  deps: ImportStatementDeps,
  request: ImportRequest,
  session: ImportSession,
  file: StatementFile,
  { listing, isUnverified }: OpenedStatement,
  read: StatementReadResult,
): Promise<ImportSummary> {
  const isDryRun = request.dryRun;
  const nowMs = () => deps.clock.now();
  /** Ends the import of a file of which nothing is stored. */
  const endWithout = async (changes: Partial<StatementFile>): Promise<StatementFile> => {
    const ended: StatementFile = { ...file, state: 'failed', endedAtMs: nowMs(), ...changes };
    if (!isDryRun) await session.end(ended);
    return ended;
  };
  const nothing = { ...NOTHING_DONE, isDryRun, pending: read.pending };
  const same = await session.sameFile(file.digest!);
  if (same !== null) {
    // The same bytes contain nothing new, so they are not stored twice.
    await endWithout({ problems: SAME_FILE_PROBLEM });
    return { ...nothing, file: same, isSame: true };
  }
  const coverage = read.coverage.finish(listing, lagosDay(file.startedAtMs));
  reportGaps(read, coverage);
  const { problems, held, totals } = read;
  const facts = { rowsRead: read.rows, fromDay: coverage.fromDay, toDay: coverage.toDay, totals };
  const { isNewestFirst: newestFirst } = read.coverage;
  const run = { session, file, newestFirst, problems, held, write: !isDryRun, nowMs };
  const question = await findSourceQuestion(deps, request.account, run, coverage.days);
  if (isUnverified && !(await session.isProfileConfirmed(file.profile))) {
    problems.add({ line: 1, column: 1, reason: UNCONFIRMED });
    const ended = await endWithout({ ...facts, awaitsConfirmation: true, problems: problems.get() });
    // The import after the confirmation asks about the source. A dry run shows both in advance.
    return { ...nothing, file: ended, needsConfirmation: true, question: isDryRun ? question : null };
  }
  if (question !== null && !isDryRun && question.incoming !== request.withoutSource) {
    const ended = await endWithout({ ...facts, problems: NO_SOURCE_PROBLEM });
    return { ...nothing, file: ended, question };
  }
  const { rowsNew, rowsKnown, gaps, incomplete } = await mergeDays(run, coverage.days);
  const done: StatementFile = {
    ...{ ...file, ...facts, state: 'done', endedAtMs: nowMs() },
    ...{ rowsNew, rowsKnown, problems: problems.get() },
  };
  if (!isDryRun) await session.end(done);
  const days = coverage.days.filter(({ rows }) => rows > 0).length;
  return {
    ...{ ...nothing, file: done, days, gaps, incompleteDays: incomplete },
    // An import that writes was confirmed.
    question: isDryRun ? question : null,
  };
}

const NOTHING_DONE = {
  isSame: false,
  needsConfirmation: false,
  days: 0,
  gaps: 0,
  incompleteDays: [],
  question: null,
} as const;

const UNCONFIRMED =
  'this column profile was never compared with a file of the bank: nothing was imported until two people confirm the totals of this file';

const SAME_FILE_PROBLEM = {
  total: 1,
  list: [{ line: 1, column: 1, reason: 'this file was already imported: nothing was changed' }],
};

function reportGaps({ problems }: StatementReadResult, { gaps }: FileCoverage): void {
  for (const { line, day, expectedMinor, foundMinor } of gaps) {
    const reason = `the balance of ${day} does not follow from the row before it: expected ${formatNaira(expectedMinor)}, found ${formatNaira(foundMinor)}`;
    problems.add({ line, column: 1, reason });
  }
}

async function markFailed(
  deps: ImportStatementDeps,
  session: ImportSession,
  file: StatementFile,
  error: unknown,
): Promise<void> {
  const reason =
    error instanceof UnreadableStatement
      ? error.message
      : 'the import was interrupted: import the file again';
  const problems = { total: 1, list: [{ line: 1, column: 1, reason }] };
  const failed = { ...file, state: 'failed' as const, endedAtMs: deps.clock.now(), problems };
  await session.end(failed).catch(() => undefined);
}
