// What reviewers can do with a bank notice that settlement could not handle: book the money as lost, or close the notice. Only
// a notice in review is decided here, and each notice is decided once.
import { entryOf } from '../ledger/ledger.ts';
import { makeMove } from '../records/change.ts';
import { type BankCredit, nameCreditedAccount } from '../records/credit.ts';
import type { BankNotice } from '../records/notice.ts';
import { ok, type Result } from '../values/result.ts';
import { type Decider, type Plan, type ReviewRefusal, refuse } from './proposal.ts';

export interface NoticeFacts {
  readonly notice: BankNotice;
  /** Null: the reversed credit is unknown. */
  readonly credit: BankCredit | null;
  /** The reversed credit, or the part of it, that can still be used. */
  readonly open: BankCredit | null;
}

/** The bank has taken the money back, and its value is lost. After this booking the bank account shows what the bank reports. */
export function bookNoticeAsLoss(
  { notice, credit, open }: NoticeFacts,
  by: Decider,
): Result<Plan, ReviewRefusal> {
  const { id, mode, kind, about, amountMinor } = notice;
  if (notice.state !== 'review') return refuseClosedNotice(notice);
  if (kind !== 'credit_reversed') {
    return refuse('not_possible', `${id} reports a returned payout, which is no loss. Dismiss it.`);
  }
  if (credit === null) {
    return refuse(
      'not_possible',
      `${id} is about ${about}, which never came in, so nothing was lost. Dismiss it.`,
    );
  }
  // This credit can still be used, so it must not also be booked as lost.
  if (open !== null) {
    return refuse(
      'not_possible',
      `${open.id} is ${open.state} and could still pay for something: write it off first.`,
    );
  }
  const entry = entryOf('loss', {
    mode,
    subjectId: credit.transactionId ?? credit.id,
    bankAccount: nameCreditedAccount(credit),
    amounts: { amount: amountMinor },
  });
  return ok({ mode, amountMinor, change: { ...closeNotice(notice, by), entries: [entry] } });
}

/** The notice changes nothing, because it was reported twice or concerns no record of ours. */
export function dismissNotice(notice: BankNotice, by: Decider): Result<Plan, ReviewRefusal> {
  if (notice.state !== 'review') return refuseClosedNotice(notice);
  const { mode, amountMinor } = notice;
  return ok({ mode, amountMinor, change: closeNotice(notice, by) });
}

function closeNotice(notice: BankNotice, { atMs }: Decider) {
  return { atMs, notices: [makeMove(notice, { state: 'done', dueAtMs: null })] };
}

function refuseClosedNotice({ id, state }: BankNotice) {
  const why = state === 'open' ? 'settlement is still processing it' : 'there is nothing left to decide';
  return refuse('not_possible', `${id} is ${state}: ${why}.`);
}
