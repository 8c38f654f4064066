// Plays how the operator's staff close a case. They pay returned money again or return the tokens; they recover, accept or
// count additional payments. Some of these actions are impossible for the case and are refused.
import type { ReviewRequest } from '../../../src/domain/review/proposal.ts';
import type { CaseInReview } from '../../../src/ports/review-store.ts';
import type { Dice } from '../../support/dice.ts';
import { accountOf, ownerOf } from '../world/places.ts';
import type { Setting } from '../world/setting.ts';
import { elsewhereOf } from './second-source.ts';

export function drawCaseRequest(setting: Setting, found: CaseInReview, dice: Dice): ReviewRequest {
  const { outside } = setting;
  const { id: subjectId, kind } = found;
  if (kind === 'report_left_over' || kind === 'reports_disagree') return drawAnswer(setting, found, dice);
  const accountNumber = accountOf(dice.between(1, 99));
  const account = { bankCode: '058', accountNumber, accountName: ownerOf(accountNumber) };
  const into = dice.pick(outside.rails).account;
  const action =
    kind === 'payout_returned'
      ? dice.weighted({ pay_again: 50, refund: 30, write_off: 15, accepted: 5 })
      : dice.weighted({ recovered: 35, accepted: 30, counted: 30, pay_again: 5 });
  switch (action) {
    case 'pay_again':
      return { action, subjectId, detail: { account } };
    case 'refund':
      return { action, subjectId, detail: { target: null } };
    case 'recovered':
      return {
        action,
        subjectId,
        detail: { into: into && { bankCode: into.bankCode, accountNumber: into.number } },
      };
    case 'write_off':
    case 'accepted':
    case 'counted':
      return { action, subjectId, detail: {} };
  }
}

/**
 * The staff ask the bank. They count money that is missing from the bank's feed and explain every other report. Some requests
 * are wrong and are refused.
 */
function drawAnswer({ model }: Setting, { id: subjectId, about }: CaseInReview, dice: Dice): ReviewRequest {
  const report = model.tables.reports.get(about ?? '');
  const isLost = report !== undefined && elsewhereOf(report.sourceId)?.way === 'lost';
  // A credit with this session id exists, so the report is about the money of that credit.
  const isKnown = [...model.tables.credits.values()].some(
    ({ sessionId }) => sessionId !== null && sessionId === report?.sessionId,
  );
  const isWrong = isKnown && dice.percent(20);
  return { action: isLost || isWrong ? 'counted' : 'explained', subjectId, detail: {} };
}
