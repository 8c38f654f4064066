// Stores what a source reports about our bank accounts, credits with their first entry, before anything else is done with it. A line
// reported twice is stored once; one that makes no sense is set aside.

import { creditedBank } from '../../domain/catalogue/vendor-accounts.ts';
import { accountDetail, entryOf } from '../../domain/ledger/ledger.ts';
import type { Change } from '../../domain/records/change.ts';
import { type BankCredit, bookOf } from '../../domain/records/credit.ts';
import type { BankNotice } from '../../domain/records/notice.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { CreditLine, NoticeLine } from '../../ports/bank/statement.ts';
import type { FeedHold } from '../../ports/store/commit.ts';
import { newId, type SettlementDeps } from './context.ts';
import { payoutAccounts } from './payout-accounts.ts';
import { cleaned, setAside } from './quarantine.ts';

/** Where lines come from: a rail, by its name. */
export interface LineSource {
  readonly mode: Mode;
  readonly name: string;
}

/** Returns the new credits, leased to the caller. `feed`: its position moves with the lines. */
export async function recordLines(
  deps: SettlementDeps,
  source: LineSource,
  lines: readonly (CreditLine | NoticeLine)[],
  feed?: { readonly hold: FeedHold; readonly position: string },
): Promise<readonly BankCredit[]> {
  const changes = lines.map((line) => record(deps, source, cleaned(line)));
  const outcomes = await deps.store.commit(changes, feed);
  const credits: BankCredit[] = [];
  const refused: Change[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind === 'committed') credits.push(...(changes[index]!.newCredits ?? []));
    if (outcome.kind !== 'refused') continue;
    const { sourceId } = lines[index]!;
    const detail = { rail: source.name, sourceId, constraint: outcome.constraint };
    deps.onTrouble('a line of a statement was refused', detail);
    const reason = `the database refused it: ${outcome.constraint}`;
    refused.push(setAside(source.mode, source.name, reason, lines[index], deps.clock.now()));
  }
  // The position has moved past them, so they are kept in quarantine.
  if (refused.length > 0) await deps.store.commit(refused);
  return credits;
}

function record(deps: SettlementDeps, source: LineSource, line: CreditLine | NoticeLine): Change {
  const { mode, name } = source;
  const problem = problemOf(line);
  if (problem !== null) {
    deps.onTrouble('a line of a statement makes no sense', {
      rail: name,
      sourceId: line.sourceId,
      problem,
    });
    return setAside(mode, name, problem, line, deps.clock.now());
  }
  if (line.kind === 'credit' && isOurs(deps, mode, line))
    return setAside(mode, name, OURS, line, deps.clock.now());
  return line.kind === 'credit' ? recordCredit(deps, source, line) : recordNotice(deps, source, line);
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

function recordCredit(deps: SettlementDeps, { mode, name }: LineSource, line: CreditLine): Change {
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

function recordNotice(deps: SettlementDeps, { mode, name }: LineSource, line: NoticeLine): Change {
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
