// Reads what a rail reports and stores it, credits with their first entry, before anything else is done with it. The
// position in the statement is stored with the lines, so nothing is skipped; a line reported twice is stored once.

import { creditedBank } from '../../domain/catalogue/vendor-accounts.ts';
import { accountDetail, entryOf } from '../../domain/ledger/ledger.ts';
import type { Change } from '../../domain/records/change.ts';
import { type BankCredit, bookOf } from '../../domain/records/credit.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { ReportingRail } from '../../ports/bank/rail.ts';
import type { CreditLine, NoticeLine } from '../../ports/bank/statement.ts';
import { newId, type SettlementDeps } from './context.ts';
import { type FeedMemory, newFeedMemory, withFeed } from './feed-hold.ts';
import { payoutAccounts } from './payout-accounts.ts';
import { cleaned, setAside } from './quarantine.ts';

/** The name under which a rail's statement is read, by one process at a time. */
export function bankFeed(mode: Mode, rail: string): string {
  return `bank ${mode} ${rail}`;
}

/** Returns the new credits, leased to the caller; undefined when another process reads this feed. */
export function readBankFeed(
  deps: SettlementDeps,
  mode: Mode,
  rail: ReportingRail,
  memory: FeedMemory = newFeedMemory(),
): Promise<{ readonly credits: readonly BankCredit[]; readonly lines: number } | undefined> {
  return withFeed(deps, bankFeed(mode, rail.name), memory, async (hold) => {
    const { lines, position } = await rail.statement.read(hold.position);
    if (lines.length === 0 && position === hold.position)
      return { position, found: { credits: [], lines: 0 } };
    const changes = lines.map((line) => record(deps, mode, rail, cleaned(line)));
    const outcomes = await deps.store.commit(changes, { hold, position });
    const credits: BankCredit[] = [];
    const refused: Change[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind === 'committed') credits.push(...(changes[index]!.newCredits ?? []));
      if (outcome.kind !== 'refused') continue;
      const { sourceId } = lines[index]!;
      const detail = { rail: rail.name, sourceId, constraint: outcome.constraint };
      deps.onTrouble('a line of a statement was refused', detail);
      const reason = `the database refused it: ${outcome.constraint}`;
      refused.push(setAside(mode, rail.name, reason, lines[index], deps.clock.now()));
    }
    // The position has moved past them, so they are kept in quarantine.
    if (refused.length > 0) await deps.store.commit(refused);
    return { position, found: { credits, lines: lines.length } };
  });
}

function record(
  deps: SettlementDeps,
  mode: Mode,
  rail: ReportingRail,
  line: CreditLine | NoticeLine,
): Change {
  const problem = problemOf(line);
  if (problem !== null) {
    deps.onTrouble('a line of a statement makes no sense', {
      rail: rail.name,
      sourceId: line.sourceId,
      problem,
    });
    return setAside(mode, rail.name, problem, line, deps.clock.now());
  }
  if (line.kind === 'credit' && isOurs(deps, mode, line))
    return setAside(mode, rail.name, OURS, line, deps.clock.now());
  return line.kind === 'credit' ? recordCredit(deps, mode, rail, line) : recordNotice(deps, mode, rail, line);
}

const OURS =
  'it came to an account that payouts are made from: two people book it (naira put-in, naira move, naira charge --returned)';

/** The most the database can hold. */
const MOST_MINOR = 2n ** 63n - 1n;
/** The last moment a date can name. */
const LAST_MS = 8.64e15;

function problemOf(line: CreditLine | NoticeLine): string | null {
  if (line.amountMinor <= 0n || line.amountMinor > MOST_MINOR) return 'amount out of range';
  if (line.sourceId === '') return 'sourceId is empty';
  if (line.kind === 'credit' && !(Math.abs(line.valueAtMs) <= LAST_MS)) return 'value date out of range';
  return null;
}

function recordCredit(deps: SettlementDeps, mode: Mode, { name }: ReportingRail, line: CreditLine): Change {
  const atMs = deps.clock.now();
  const { kind: _kind, tester, ...reported } = line;
  const accountBankCode = bankOf(deps, mode, line);
  const own = { id: newId(deps, 'crd'), businessId: null };
  const credit: BankCredit = {
    ...reported,
    // A rail of live mode names no credit of ours, whatever its lines carry.
    ...(tester === undefined || mode === 'live'
      ? own
      : { id: tester.creditId, businessId: tester.businessId }),
    mode,
    source: name,
    accountBankCode,
    payerAccount: said(line.payerAccount),
    payerName: said(line.payerName),
    payerBankCode: (line.payerBankName && deps.directory.resolve(line.payerBankName)?.code) || null,
    receivedAtMs: atMs,
    parentId: null,
    state: 'unmatched',
    exception: null,
    transactionId: null,
    version: 1,
    dueAtMs: atMs + deps.leaseMs,
    tries: 0,
  };
  const amounts = { amount: line.amountMinor };
  const facts = { mode, subjectId: credit.id, bankAccount: bookOf(credit), amounts };
  return { atMs, newCredits: [credit], entries: [entryOf('credit_received', facts)] };
}

/** One bank account is one account of the ledger, however the rail writes its bank. */
function bankOf(deps: SettlementDeps, mode: Mode, line: CreditLine): string | null {
  const reported = { number: line.accountNumber, bankCode: said(line.accountBankCode) };
  return creditedBank(deps.catalogue().vendorAccounts[mode], deps.directory, reported);
}

/** What reaches an account that payouts are made from is no payment of a customer: people know what it is. */
function isOurs({ banks, directory }: SettlementDeps, mode: Mode, line: CreditLine): boolean {
  const bank = said(line.accountBankCode);
  const code = bank === null ? null : (directory.resolve(bank)?.code ?? bank);
  return payoutAccounts(banks, mode).some((account) =>
    code === null
      ? account.endsWith(`:${line.accountNumber}`)
      : account === accountDetail(code, line.accountNumber),
  );
}

/** Some rails write the word null for a value they do not have. */
function said(text: string | null): string | null {
  const value = text?.trim() ?? '';
  return value === '' || value.toLowerCase() === 'null' ? null : value;
}

function recordNotice(deps: SettlementDeps, mode: Mode, { name }: ReportingRail, line: NoticeLine): Change {
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
