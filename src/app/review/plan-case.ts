// Plans the end of a case about money that a bank reversed, returned or paid twice. The decision of two people posts the money
// and closes the case. If the payout of a sell was returned, a decision about the case and a decision about the sell have the
// same effect.
import { accountDetail, ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import type { Case } from '../../domain/records/change.ts';
import { type BankCredit, isOpenCredit, makePartSourceId } from '../../domain/records/credit.ts';
import {
  acceptCaseLoss,
  type CaseFacts,
  countLatePayout,
  recoverCase,
  writeOffCase,
} from '../../domain/review/cases.ts';
import { bookNoticeAsLoss, dismissNotice } from '../../domain/review/notices.ts';
import {
  type Decider,
  type Plan,
  type RecoveredDetail,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import {
  countReport,
  countReversal,
  explainCase,
  isQuestionCase,
} from '../../domain/review/question-cases.ts';
import { payRefundAgain } from '../../domain/review/returned-payouts.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { NAIRA } from '../../domain/values/money.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { newId } from '../engine/deps.ts';
import { checkTargetAccount } from './check-target.ts';
import { planTransaction } from './plan-transaction.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planCase(
  deps: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const facts = await readCase(deps, request.subjectId);
  if (!facts.ok) return facts;
  const { found, movement } = facts.value;
  if (isQuestionCase(found)) return planQuestion(deps, found, request, by);
  switch (request.action) {
    case 'pay_again':
    case 'refund':
      if (found.kind !== 'payout_returned' || movement === null)
        return refuse('not_possible', `${found.id} is not about a returned payout or refund.`);
      return movement.kind === 'payout'
        ? planTransaction(deps, { ...request, subjectId: found.transactionId! }, by)
        : planRefundAgain(deps, facts.value, request, by);
    case 'recovered': {
      const account = await checkFloatAccount(deps, found.mode, request.detail);
      return account.ok ? recoverCase(facts.value, account.value, by) : account;
    }
    case 'accepted':
      return acceptCaseLoss(facts.value, by);
    case 'write_off':
      return writeOffCase(facts.value, by);
    case 'counted':
      return countLatePayout(facts.value, by);
    case 'explained':
      return explainCase(found, null, by);
    default:
      return refuse(
        'invalid',
        'The possible actions on a case are pay_again, refund, recovered, accepted, counted and write_off.',
      );
  }
}

async function planQuestion(
  deps: ReviewDeps,
  found: Case,
  { action }: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { kind, about } = found;
  if (kind === 'credit_not_found' && action === 'counted') return planReversal(deps, found, by);
  const isReport = (kind === 'report_left_over' || kind === 'reports_disagree') && about !== undefined;
  const report = isReport ? ((await deps.reviewDesk.reportById(about)) ?? null) : null;
  if (action === 'explained') return explainCase(found, report, by);
  if (action === 'counted') return countReport(found, report, { ...by, newCreditId: newId(deps, 'crd') });
  return refuse(
    'invalid',
    'The possible actions on this case are explained and counted. A report is counted as a credit, a credit as reversed.',
  );
}

async function planReversal(
  deps: ReviewDeps,
  found: Case,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const { creditId } = found;
  const credit = creditId === null ? undefined : (await deps.store.creditsById([creditId])).get(creditId);
  return countReversal(found, credit ?? null, { ...by, newNoticeId: newId(deps, 'ntc') });
}

async function readCase(
  { store, reviewDesk }: ReviewDeps,
  id: string,
): Promise<Result<CaseFacts, ReviewRefusal>> {
  const found = await reviewDesk.caseById(id);
  if (found === undefined) return refuse('not_found', `There is no case ${id}.`);
  if (found.closedAtMs !== null)
    return refuse(
      'not_possible',
      `${id} is closed (${found.outcome ?? 'by hand'}): there is nothing left to decide.`,
    );
  const { movementId, transactionId } = found;
  const movement = movementId === undefined ? undefined : await store.movementById(movementId);
  const others = movementId === undefined ? [] : await reviewDesk.openCasesOn([movementId]);
  const transaction =
    transactionId === null ? undefined : (await store.transactionsById([transactionId])).get(transactionId);
  const movements = transactionId === null ? [] : await store.movementsOf([transactionId]);
  return ok({
    ...{ found, movement: movement ?? null, transaction: transaction ?? null, movements },
    others: others.filter((each) => each.id !== id),
  });
}

async function planRefundAgain(
  deps: ReviewDeps,
  { found, movement, transaction, others }: CaseFacts,
  request: Extract<ReviewRequest, { action: 'pay_again' | 'refund' }>,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  if (request.action === 'refund')
    return refuse(
      'invalid',
      'The bank returned this refund: propose pay_again with the destination account.',
    );
  const { creditId } = movement!;
  const credit = creditId === null ? undefined : (await deps.store.creditsById([creditId])).get(creditId);
  if (credit?.state === 'reversed')
    return refuse(
      'not_possible',
      'The bank reversed that payment, so there is nothing to refund. Write it off.',
    );
  const account = checkTargetAccount(deps, request.detail.account);
  if (!account.ok) return account;
  const newRefundId = newId(deps, 'mov');
  return payRefundAgain({ found, refund: movement!, transaction, others }, account.value, {
    ...by,
    newRefundId,
  });
}

async function checkFloatAccount(
  { banks, store }: ReviewDeps,
  mode: Mode,
  { into }: RecoveredDetail,
): Promise<Result<string | null, ReviewRefusal>> {
  if (into === null) {
    if (mode === 'test') return ok(null);
    return refuse('invalid', 'Name your bank account that received the money: its bank and its number.');
  }
  const bank = banks.resolve(into.bankCode);
  if (bank === undefined)
    return refuse('invalid', `There is no bank "${into.bankCode}" in the bank directory.`);
  const account = accountDetail(bank.code, into.accountNumber);
  const key = ledgerKey(mode, NAIRA, 'bank_out', account);
  if ((await store.balances([key])).has(key)) return ok(account);
  return refuse(
    'invalid',
    `${into.accountNumber} at ${bank.name} is not a payout account (${mode} mode). Name a payout account.`,
  );
}

/** The service could not handle this bank notice. Two people book its money as lost, or close the notice. */
export async function planNotice(
  { store, reviewDesk }: ReviewDeps,
  request: ReviewRequest,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const notice = await reviewDesk.noticeById(request.subjectId);
  if (notice === undefined) return refuse('not_found', `There is no notice ${request.subjectId}.`);
  if (request.action === 'dismiss') return dismissNotice(notice, by);
  if (request.action !== 'loss')
    return refuse('invalid', 'The possible actions on a notice are loss and dismiss.');
  const credit = (await store.findCredit(notice.mode, notice.source, notice.about)) ?? null;
  return bookNoticeAsLoss({ notice, credit, open: credit && (await findOpenPart(store, credit)) }, by);
}

/** Returns the credit itself or, if it was split, the first of its parts that is still undecided. */
async function findOpenPart(store: ReviewDeps['store'], credit: BankCredit): Promise<BankCredit | null> {
  if (isOpenCredit(credit)) return credit;
  if (credit.state !== 'split') return null;
  for (let no = 1; ; no++) {
    const part = await store.findCredit(credit.mode, credit.source, makePartSourceId(credit, no));
    if (part === undefined) return null;
    const open = await findOpenPart(store, part);
    if (open !== null) return open;
  }
}
