// Lists planted bugs in the code that applies the decisions of reviewers and operators.
import { type Bug, within } from '../patch.ts';

export const REVIEW_BUGS: readonly Bug[] = [
  {
    name: 'split_keeps_whole',
    what: 'A credit that was split stays open beside its parts.',
    patches: [within('splitCredit').drop("state: 'split'")],
  },
  {
    name: 'replaced_refund_made_again',
    seeds: 600,
    what: 'A refund that is replaced keeps its first reason, so it does not count as replaced and is replaced again.',
    patches: [within('redirectRefund').after('makeMove(refund, { reason:', 'refund.reason ??')],
  },
  {
    name: 'write_off_not_posted',
    what: 'A credit that is written off is not posted.',
    patches: [within('writeOffCredit').drop(', entries: [entry]')],
  },
  {
    name: 'withdrawal_of_other_peoples_tokens',
    what: 'Tokens in suspense, or due to be refunded, are withdrawn with the rest.',
    patches: [within('withdrawalAccounts').drop('...OWED_ACCOUNTS')],
  },
  {
    name: 'withdrawal_under_any_name',
    what: 'Each time a proposal is planned it makes a movement of its own.',
    patches: [
      within('planWithdrawal').exchange(
        'id: subjectId',
        'id: subjectId.slice(0, -1) + (deps.clock.now() % 10)',
      ),
    ],
  },
  {
    name: 'withdrawal_not_posted',
    what: 'Tokens that were withdrawn stay posted as sent forever.',
    patches: [within('STEP_EVENTS').exchange("'withdrawal_made'", 'null')],
  },
  {
    name: 'withdrawal_held_back_stays_set_aside',
    what: 'The reservation of a withdrawal is not released when its destination is forbidden.',
    patches: [
      within('holdMovementBack').drop(
        "...(movement.kind === 'withdrawal' && { entries: releaseEntries(movement, 0n) })",
      ),
    ],
  },
  {
    name: 'approved_after_it_shrank',
    seeds: 800,
    what: 'An approval is carried out although the amount is now smaller than was proposed.',
    patches: [
      within('planApproval').exchange(
        'plan.value.amountMinor !== proposal.amountMinor',
        'plan.value.amountMinor > proposal.amountMinor',
      ),
    ],
  },
];
