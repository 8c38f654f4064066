// Mistakes about what people decide.
import type { Bug } from './plant.ts';

const CREDITS = 'src/domain/review/credits.ts';
const WITHDRAWAL = 'src/domain/review/withdrawal.ts';
const REFUNDS = 'src/domain/review/refunds.ts';

export const REVIEW_BUGS: readonly Bug[] = [
  {
    name: 'split_keeps_whole',
    what: 'A credit that was split is still there beside its parts.',
    patches: [
      {
        file: CREDITS,
        find: "moveOf(credit, { state: 'split', dueAtMs: null })",
        replace: 'moveOf(credit, { dueAtMs: null })',
      },
    ],
  },
  {
    name: 'replaced_refund_made_again',
    seeds: 600,
    what: 'A refund that is made anew keeps its first reason, so it does not count as replaced and is made anew again.',
    patches: [
      {
        file: REFUNDS,
        find: 'moveOf(refund, { reason: ',
        replace: 'moveOf(refund, { reason: refund.reason ?? ',
      },
    ],
  },
  {
    name: 'write_off_not_posted',
    what: 'A credit that is written off is not posted.',
    patches: [
      {
        file: CREDITS,
        find: 'change: { atMs, credits, entries: [entry] } });',
        replace: 'change: { atMs, credits } });',
      },
    ],
  },
  {
    name: 'withdrawal_of_other_peoples_tokens',
    what: 'Tokens that wait in suspense, or to go back, are taken out with the rest.',
    patches: [{ file: WITHDRAWAL, find: '- ofOthers.reduce(', replace: '- [].reduce(' }],
  },
  {
    name: 'withdrawal_under_any_name',
    what: 'Each look at a proposal makes a movement of its own.',
    patches: [
      {
        file: 'src/app/review/plan-withdrawal.ts',
        find: '{ id: subjectId, network,',
        replace: '{ id: subjectId.slice(0, -1) + (deps.clock.now() % 10), network,',
      },
    ],
  },
  {
    name: 'withdrawal_not_posted',
    what: 'Tokens that were taken out stay sent for ever.',
    patches: [
      {
        file: 'src/domain/movements/entries.ts',
        find: "finish: 'withdrawal_made'",
        replace: 'finish: null',
      },
    ],
  },
  {
    name: 'withdrawal_held_back_stays_set_aside',
    what: 'A withdrawal that must not go where it was to go keeps what was set aside for it.',
    patches: [
      {
        file: 'src/domain/movements/steps.ts',
        find: "...(movement.kind === 'withdrawal' && { entries: releaseEntries(movement, 0n) }),",
        replace: '',
      },
    ],
  },
];
