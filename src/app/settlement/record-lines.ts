// Stores what a source reports about the operator's bank accounts, before anything else happens. One source creates the credits
// of an account, and its lines are stored as credits with their first ledger entry. Lines of all other sources are stored as
// reports. A line that is reported twice is stored once, and an invalid line is set aside.
import { creditedBank } from '../../domain/catalogue/vendors.ts';
import { accountDetail } from '../../domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../domain/ledger/ledger.ts';
import type { Change } from '../../domain/records/change.ts';
import {
  type BankCredit,
  type CreditReport,
  type CreditSource,
  nameCreditedAccount,
  STATEMENTS_SOURCE,
} from '../../domain/records/credit.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import { linkReport } from '../../domain/reports/link-report.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { ReportingRail } from '../../ports/rails/rail.ts';
import type { CreditLine, NoticeLine } from '../../ports/rails/rail-statement.ts';
import type { CommitOutcome, FeedLease } from '../../ports/store/commit.ts';
import { newId, type PickDeps, type SettlementDeps } from '../engine/deps.ts';
import { type FeedMemory, newFeedMemory, readFeedUnderLease } from './feed-hold.ts';
import { listPayoutAccounts } from './payout-accounts.ts';
import { makeStorable, quarantineLine } from './quarantine.ts';

export interface LineSource {
  readonly mode: Mode;
  readonly name: string;
}

/** A line as it will be stored. It is either a change, or a credit that may or may not count as new money. */
type LineDraft = { readonly change: Change } | { readonly credit: BankCredit; readonly isKnown: boolean };

interface DraftedLine {
  readonly line: CreditLine | NoticeLine;
  readonly draft: LineDraft;
}

const MAX_ROUNDS = 4;

/**
 * Returns the new credits, whose leases the caller holds. `feed` is the feed whose position advances together with the lines.
 */
export async function recordLines(
  deps: SettlementDeps,
  source: LineSource,
  lines: readonly (CreditLine | NoticeLine)[],
  feed?: { readonly hold: FeedLease; readonly position: string },
): Promise<readonly BankCredit[]> {
  const credits: BankCredit[] = [];
  let open: readonly DraftedLine[] = lines.map((line) => ({
    line,
    draft: draftLine(deps, source, makeStorable(line)),
  }));
  // An extra round sets aside the lines that were refused in all earlier rounds.
  for (let round = 1; round === 1 || (open.length > 0 && round <= MAX_ROUNDS + 1); round++) {
    const changes = await buildChanges(deps, source, open);
    const outcomes = await deps.store.commit(changes, feed);
    for (const [index, { kind }] of outcomes.entries())
      if (kind === 'committed') credits.push(...(changes[index]!.newCredits ?? []));
    const refused = open.flatMap((placed, index) => {
      const outcome = outcomes[index]!;
      return outcome.kind === 'refused' ? [{ placed, outcome }] : [];
    });
    open = refused.map(({ placed, outcome }) => redraftRefused(deps, source, placed, outcome, round));
  }
  return credits;
}

/** The position of the feed advances only after each refused line is stored in another form. */
function redraftRefused(
  deps: PickDeps<'clock' | 'onTrouble'>,
  { mode, name }: LineSource,
  { line, draft }: DraftedLine,
  { rule, constraint }: Extract<CommitOutcome, { readonly kind: 'refused' }>,
  round: number,
): DraftedLine {
  const atMs = deps.clock.now();
  if ('credit' in draft && round < MAX_ROUNDS) {
    if (rule === 'session_known') return { line, draft: { ...draft, isKnown: true } };
    if (rule === 'other_source') return { line, draft };
  }
  if (rule === 'recorded_before') return { line, draft: { change: { atMs } } };
  const { sourceId } = line;
  deps.onTrouble('a statement line was refused', { rail: name, sourceId, constraint });
  const reason = `the database refused it: ${constraint}`;
  return { line, draft: { change: quarantineLine(mode, name, reason, line, atMs) } };
}

async function buildChanges(
  deps: PickDeps<'clock' | 'entropy' | 'store'>,
  { mode, name }: LineSource,
  open: readonly DraftedLine[],
): Promise<readonly Change[]> {
  const drafts = open.flatMap(({ draft }) => ('credit' in draft ? [draft] : []));
  const books = [...new Set(drafts.map(({ credit }) => nameCreditedAccount(credit)))];
  const sources = await deps.store.creditSources(mode, books);
  const mixed = drafts.filter(
    ({ credit, isKnown }) => !isKnown && sources.get(nameCreditedAccount(credit))?.others,
  );
  const like = await deps.store.creditsLike(mixed.map(({ credit }) => credit));
  return open.map(({ draft }) => {
    if ('change' in draft) return draft.change;
    const { credit, isKnown } = draft;
    const rule =
      sources.get(nameCreditedAccount(credit)) ?? (name === STATEMENTS_SOURCE ? undefined : FIRST_SOURCE);
    const gives = rule !== undefined && (rule === FIRST_SOURCE || rule.source === name);
    // A credit of another source may be about the same transfer. Then this line creates no credit.
    const isAnother = gives && linkReport(credit, like.get(credit.id) ?? []).kind === 'none';
    return isAnother && !isKnown ? creditChange(credit, rule) : reportChange(deps, credit);
  });
}

/** If an account has no credit source yet, the rail becomes its credit source. */
const FIRST_SOURCE: CreditSource = { source: '', others: false, version: 1 };

function creditChange(credit: BankCredit, { version }: CreditSource): Change {
  const { mode, id, amountMinor: amount, receivedAtMs: atMs } = credit;
  const facts = { mode, subjectId: id, bankAccount: nameCreditedAccount(credit), amounts: { amount } };
  return {
    atMs,
    newCredits: [{ ...credit, sourceVersion: version }],
    entries: [entryOf('credit_received', facts)],
  };
}

function reportChange(deps: PickDeps<'clock' | 'entropy'>, credit: BankCredit): Change {
  const { parentId: _parent, exception: _exception, transactionId: _transaction, ...reported } = credit;
  const atMs = credit.receivedAtMs;
  const report: CreditReport = {
    ...reported,
    ...{ id: newId(deps, 'rpt'), state: 'waiting', creditId: null, isRepeat: false, dueAtMs: atMs },
  };
  return { atMs, newReports: [report] };
}

function draftLine(deps: SettlementDeps, source: LineSource, line: CreditLine | NoticeLine): LineDraft {
  const { mode, name } = source;
  const problem = findLineProblem(line);
  if (problem !== null) {
    const { sourceId } = line;
    deps.onTrouble('a statement line is invalid', { rail: name, sourceId, problem });
    return { change: quarantineLine(mode, name, problem, line, deps.clock.now()) };
  }
  if (line.kind !== 'credit') return { change: makeNoticeChange(deps, source, line) };
  if (isToPayoutAccount(deps, mode, line))
    return { change: quarantineLine(mode, name, PAYOUT_ACCOUNT_REASON, line, deps.clock.now()) };
  return { credit: makeCredit(deps, source, line), isKnown: false };
}

const PAYOUT_ACCOUNT_REASON =
  'it arrived in a payout account: two people must book it (naira put-in, naira move, naira charge --returned)';

/** The maximum that the database can store. */
const MOST_MINOR = 2n ** 63n - 1n;
/** The latest time that a date can represent. */
const LAST_MS = 8.64e15;

function findLineProblem(line: CreditLine | NoticeLine): string | null {
  if (line.amountMinor <= 0n || line.amountMinor > MOST_MINOR) return 'amount out of range';
  if (line.sourceId === '') return 'sourceId is empty';
  if (line.kind === 'credit' && !(Math.abs(line.valueAtMs) <= LAST_MS)) return 'value date out of range';
  return null;
}

function makeCredit(deps: SettlementDeps, { mode, name }: LineSource, line: CreditLine): BankCredit {
  const atMs = deps.clock.now();
  const { kind: _kind, tester, ...reported } = line;
  const own = { id: newId(deps, 'crd'), businessId: null };
  return {
    ...reported,
    // In live mode, a rail cannot choose the id of a credit, whatever its lines contain.
    ...(tester === undefined || mode === 'live'
      ? own
      : { id: tester.creditId, businessId: tester.businessId }),
    mode,
    source: name,
    accountBankCode: creditedBankOf(deps, mode, line),
    payerAccount: blankToNull(line.payerAccount),
    payerName: blankToNull(line.payerName),
    payerBankCode: (line.payerBankName && deps.directory.resolve(line.payerBankName)?.code) || null,
    sessionId: blankToNull(line.sessionId),
    balanceMinor: line.balanceMinor ?? null,
    receivedAtMs: atMs,
    parentId: null,
    state: 'unmatched',
    exception: null,
    transactionId: null,
    version: 1,
    dueAtMs: atMs + deps.leaseMs,
    tries: 0,
  };
}

/** One bank account is one ledger account, however the rail writes the bank. */
function creditedBankOf(
  deps: PickDeps<'catalogue' | 'directory'>,
  mode: Mode,
  line: CreditLine,
): string | null {
  const reported = { number: line.accountNumber, bankCode: blankToNull(line.accountBankCode) };
  return creditedBank(deps.catalogue().vendorAccounts[mode], deps.directory, reported);
}

/**
 * Returns whether a line is about the operator's own money. Money that arrives in a payout account is not a customer's payment.
 */
function isToPayoutAccount(
  { banks, directory }: PickDeps<'banks' | 'directory'>,
  mode: Mode,
  line: CreditLine,
): boolean {
  const bank = blankToNull(line.accountBankCode);
  const code = bank === null ? null : (directory.resolve(bank)?.code ?? bank);
  return listPayoutAccounts(banks, mode).some((account) =>
    code === null
      ? account.endsWith(`:${line.accountNumber}`)
      : account === accountDetail(code, line.accountNumber),
  );
}

/** Some rails write the word null for a value that they do not have. */
function blankToNull(text: string | null): string | null {
  const value = text?.trim() ?? '';
  return value === '' || value.toLowerCase() === 'null' ? null : value;
}

function makeNoticeChange(
  deps: PickDeps<'clock' | 'entropy'>,
  { mode, name }: LineSource,
  line: NoticeLine,
): Change {
  const atMs = deps.clock.now();
  const notice: BankNotice = {
    ...line,
    id: newId(deps, 'ntc'),
    mode,
    source: name,
    receivedAtMs: atMs,
    state: 'open',
    version: 1,
    dueAtMs: atMs,
    tries: 0,
  };
  return { atMs, newNotices: [notice] };
}

// Reads the statement of a rail and stores its lines before anything else happens. The position in the statement is stored with
// the lines, so the service skips nothing.

/** Returns the name of the feed for a rail's statement. One process at a time reads this feed. */
export function bankFeedName(mode: Mode, rail: string): string {
  return `bank ${mode} ${rail}`;
}

/** Returns the new credits, whose leases the caller holds. Returns undefined if another process reads this feed. */
export function readBankFeed(
  deps: SettlementDeps,
  mode: Mode,
  rail: ReportingRail,
  memory: FeedMemory = newFeedMemory(),
): Promise<{ readonly credits: readonly BankCredit[]; readonly lines: number } | undefined> {
  return readFeedUnderLease(deps, bankFeedName(mode, rail.name), memory, async (hold) => {
    const { lines, position } = await rail.statement.read(hold.position);
    if (lines.length === 0 && position === hold.position)
      return { position, found: { credits: [], lines: 0 } };
    const credits = await recordLines(deps, { mode, name: rail.name }, lines, { hold, position });
    return { position, found: { credits, lines: lines.length } };
  });
}
