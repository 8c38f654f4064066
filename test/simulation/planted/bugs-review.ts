// Mistakes about what people decide.
import type { Bug } from './plant.ts';

const CREDITS = 'src/domain/review-credits.ts';
const BUYS = 'src/domain/review-buys.ts';
const REFUNDS = 'src/domain/review-refunds.ts';

export const REVIEW_BUGS: readonly Bug[] = [
  {
    name: 'closed_credit_refunded',
    what: 'People can refund a credit that paid for something since they proposed it.',
    patches: [
      {
        file: CREDITS,
        find: '  if (!isOpen(credit)) return closed(credit);\n  // A claim that waits',
        replace: '  // A claim that waits',
      },
    ],
  },
  {
    name: 'closed_credit_matched_by_hand',
    what: 'People can match a credit that went another way since they proposed it.',
    patches: [
      {
        file: CREDITS,
        find: '  if (!isOpen(credit)) return closed(credit);\n  if (transaction.mode',
        replace: '  if (transaction.mode',
      },
    ],
  },
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
    name: 'excess_refunded_again_by_people',
    what: 'People who refund a buy give back also the excess that went back already.',
    patches: [
      {
        file: BUYS,
        find: 'heldMinor: credit.amountMinor - (excess?.nairaMinor ?? 0n)',
        replace: 'heldMinor: credit.amountMinor',
      },
    ],
  },
  {
    name: 'refunded_buy_refunded_again',
    what: 'The credits of a buy that people refund are not marked, and can be refunded again.',
    patches: [
      {
        file: BUYS,
        find: "    credits: held.map(({ credit }) => moveOf(credit, { state: 'refunded', exception: REFUND_DECIDED })),\n",
        replace: '',
      },
    ],
  },
  {
    name: 'replaced_refund_made_again',
    what: 'A refund that was made anew is not marked as replaced, and can be made anew again.',
    patches: [
      {
        file: REFUNDS,
        find: 'moveOf(refund, { reason: `${REPLACED}${again.id}`, updatedAtMs: atMs })',
        replace: 'moveOf(refund, { updatedAtMs: atMs })',
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
];
