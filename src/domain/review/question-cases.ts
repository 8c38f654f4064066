// Cases about money that the books do not show yet. Some are about a report that no credit explains, reports that disagree, or
// a difference found by a reconciliation. Others are about a credit that its rail no longer finds, or a deposit that did not
// arrive in full. Two people explain the case, count an unmatched report as a credit, or confirm that the credit was reversed.
import { entryOf } from '../ledger/ledger.ts';
import { type Case, type Change, makeMove, QUESTION_CASE_KINDS } from '../records/change.ts';
import { type BankCredit, type CreditReport, nameCreditedAccount } from '../records/credit.ts';
import type { BankNotice } from '../records/notice.ts';
import { ok, type Result } from '../values/result.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse } from './proposal.ts';

export function isQuestionCase({ kind }: Case): boolean {
  return QUESTION_CASE_KINDS.some((each) => each === kind);
}

export function explainCase(
  found: Case,
  report: CreditReport | null,
  { atMs, actor: closedBy }: Decider,
): Result<Plan, ReviewRefusal> {
  const { id, mode, amountMinor } = found;
  if (!isQuestionCase(found))
    return refuse('not_possible', `${id} is about money in the books: only a posting can close it.`);
  const change: Change = {
    atMs,
    ...(report !== null && { reports: [makeMove(report, { state: 'explained', dueAtMs: null })] }),
    closeCases: [{ id, outcome: 'explained', closedBy }],
  };
  return ok({ mode, amountMinor, change });
}

/**
 * The money arrived, but the credit source of the account does not report it. From now on, the report is an ordinary credit.
 */
export function countReport(
  found: Case,
  report: CreditReport | null,
  by: Decider & { readonly newCreditId: string },
): Result<Plan, ReviewRefusal> {
  const { id, mode, kind, amountMinor } = found;
  if (kind !== 'report_left_over' || report?.state !== 'case')
    return refuse('not_possible', `${id} is not about a report without a credit.`);
  const { atMs, actor: closedBy, newCreditId } = by;
  const { creditId: _credit, isRepeat: _repeat, ...reported } = report;
  const credit: BankCredit = {
    ...reported,
    ...{ id: newCreditId, parentId: null, state: 'unmatched', exception: null, transactionId: null },
    ...{ receivedAtMs: atMs, version: 1, tries: 0, dueAtMs: atMs },
  };
  const facts = {
    mode,
    subjectId: credit.id,
    bankAccount: nameCreditedAccount(credit),
    amounts: { amount: amountMinor },
  };
  const change: Change = {
    atMs,
    newCredits: [credit],
    reports: [makeMove(report, { state: 'counted', creditId: credit.id, dueAtMs: null })],
    entries: [entryOf('credit_received', facts)],
    closeCases: [{ id, outcome: 'counted', closedBy }],
  };
  return ok({ mode, amountMinor, change });
}

/** The bank did reverse the credit. Settlement books this reversal like one that the bank reported. */
export function countReversal(
  found: Case,
  credit: BankCredit | null,
  by: Decider & { readonly newNoticeId: string },
): Result<Plan, ReviewRefusal> {
  const { id, mode } = found;
  if (found.kind !== 'credit_not_found' || credit === null)
    return refuse('not_possible', `${id} is not about a credit that its rail no longer finds.`);
  const { source, sourceId, amountMinor, state } = credit;
  if (state === 'reversed')
    return refuse('not_possible', `${credit.id} is already reversed: close the case as explained.`);
  const { atMs, actor: closedBy, newNoticeId } = by;
  const notice: BankNotice = {
    ...{ id: newNoticeId, mode, source, kind: 'credit_reversed', about: sourceId, amountMinor },
    ...{ sourceId: `reversed:${sourceId}`, receivedAtMs: atMs, raw: { case: id }, state: 'open' },
    ...{ version: 1, dueAtMs: atMs, tries: 0 },
  };
  const change: Change = {
    atMs,
    newNotices: [notice],
    closeCases: [{ id, outcome: 'counted', closedBy }],
  };
  return ok({ mode, amountMinor, change });
}
