// A rail whose name enquiries are counted: a rail that does not say who owns an account gets no payout, so it is not well, whatever its
// balance call answers. What a process has seen lately is enough: it is the one that would pay.
import type { PayingRail, Rail } from '../../../ports/bank/rail.ts';
import type { Clock } from '../../../ports/clock.ts';

const LATELY_MS = 5 * 60_000;
/** So many enquiries without an answer, and none with one since. */
const ENOUGH = 3;

export function watchEnquiries(rail: Rail, clock: Clock): Rail {
  if (rail.payouts === null) return rail;
  const { payouts } = rail as PayingRail;
  let unanswered: number[] = [];
  return {
    ...rail,
    payouts: {
      ...payouts,
      enquireName: async (question) => {
        const answer = await payouts.enquireName(question);
        // Only banks that the rail reaches say something about it.
        if (answer.kind !== 'unknown') unanswered = [];
        else if (payouts.reaches(question.bankCode)) unanswered = [...unanswered, clock.now()].slice(-ENOUGH);
        return answer;
      },
    },
    whySilent: () => {
      const lately = unanswered.filter((atMs) => atMs > clock.now() - LATELY_MS);
      return lately.length < ENOUGH ? null : `its last ${ENOUGH} name enquiries got no answer`;
    },
  };
}
