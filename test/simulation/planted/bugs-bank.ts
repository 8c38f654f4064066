// Mistakes about payouts and about what the bank says.
import type { Bug } from './plant.ts';

const BANK_STEPS = 'src/app/movements/bank-steps.ts';
const PAY_OUT = 'src/app/movements/pay-out.ts';
const NOTICES = 'src/app/settlement/handle-notices.ts';

export const BANK_BUGS: readonly Bug[] = [
  {
    name: 'bank_unknown_is_failed',
    what: 'A payout whose outcome is unknown is taken for failed, and the tokens go back.',
    patches: [
      {
        file: BANK_STEPS,
        find: "    case 'unknown':\n      return unknown(alive, soon, status.reason);",
        replace: `    case 'unknown':
      if (movement.kind === 'payout') return undoPayout(deps, alive, status.reason, atMs);
      return unknown(alive, soon, status.reason);`,
      },
    ],
  },
  {
    name: 'bank_not_found_is_failed',
    what: 'A bank that does not know the reference yet is taken to have refused the payout.',
    patches: [
      {
        file: BANK_STEPS,
        find: "return unknown(alive, soon, 'the bank does not know the reference yet');",
        replace: `if (movement.kind === 'payout') return undoPayout(deps, alive, 'not found', atMs);
      return givenUp(alive, atMs, 0n, 'not found', told(attempt, 'failed', atMs, null));`,
      },
    ],
  },
  {
    name: 'bank_pending_is_paid',
    what: 'A payout the bank has taken is counted as made before the bank has made it.',
    patches: [
      {
        file: BANK_STEPS,
        find: "if (attempt.state === 'accepted') return waiting(alive, soon);",
        replace: `if (attempt.state === 'accepted')
        return finished(alive, atMs, {}, { feeMinor: transaction?.feeMinor ?? 0n, chargeMinor: 0n });`,
      },
    ],
  },
  {
    name: 'payout_resent_under_new_reference',
    what: 'A payout that is offered to the bank again gets a new reference, so the bank pays it again.',
    patches: [
      {
        file: BANK_STEPS,
        find: '    reference: attempt.reference,\n    amountMinor',
        replace:
          "    reference: attempt.reference + (movement.tries === 0 ? '' : '-' + movement.tries),\n    amountMinor",
      },
    ],
  },
  {
    name: 'payout_given_up_when_slow',
    what: 'A payout the bank says nothing certain about is given up after a few questions.',
    patches: [
      {
        file: BANK_STEPS,
        find: "    case 'unknown':\n      return unknown(",
        replace: `    case 'unknown':
      if (movement.tries > 2 && movement.kind === 'payout')
        return undoPayout(deps, alive, 'the bank does not answer', atMs);
      return unknown(`,
      },
    ],
  },
  {
    name: 'payout_of_lost_race_is_made',
    what: 'A payout whose commit was stale is made all the same.',
    patches: [
      {
        file: PAY_OUT,
        find: "outcome.kind === 'committed' && payout != null",
        replace: "outcome.kind !== 'refused' && payout != null",
      },
    ],
  },
  {
    name: 'payout_without_the_fee_taken_off',
    what: 'The gross amount is paid out, the fee is not taken off.',
    patches: [
      {
        file: PAY_OUT,
        find: 'const nairaMinor = amountMinor - feeMinor;',
        replace: 'const nairaMinor = amountMinor;',
      },
    ],
  },
  {
    name: 'payout_fee_taken_twice',
    what: 'The fee is taken off the amount twice.',
    patches: [
      {
        file: PAY_OUT,
        find: 'const nairaMinor = amountMinor - feeMinor;',
        replace: 'const nairaMinor = amountMinor - feeMinor * 2n;',
      },
    ],
  },
  {
    name: 'returned_payout_sends_tokens_home',
    what: 'A payout that came back also sends the tokens home, though the naira is kept for the customer.',
    patches: [
      {
        file: NOTICES,
        find: "import { backOffMs, newId, type SettlementDeps } from './context.ts';",
        replace: `import { tokensBack } from './failed-payout.ts';
import { backOffMs, newId, type SettlementDeps } from './context.ts';`,
      },
      {
        file: NOTICES,
        find: '    ...(transaction !== undefined && {\n      transactions: [\n        moveTo(transaction, transaction.state, {',
        replace: `    ...(transaction !== undefined && {
      newMovements: (await tokensBack(deps, transaction, 'payout_returned', atMs)).movements,
      transactions: [
        moveTo(transaction, transaction.state, {`,
      },
    ],
  },
  {
    name: 'feed_position_before_lines',
    what: 'The position in the bank’s feed is stored before the lines that were read are.',
    patches: [
      {
        file: 'src/app/settlement/read-bank-feed.ts',
        find: 'const outcomes = await deps.store.commit(changes, { hold, position });',
        replace: `await deps.store.commit([], { hold, position });
    const outcomes = await deps.store.commit(changes);`,
      },
    ],
  },
  {
    name: 'new_credit_only_handed_over',
    what: 'A new credit is handed to matching in memory only: it is in no queue.',
    patches: [
      {
        file: 'src/app/settlement/read-bank-feed.ts',
        find: 'dueAtMs: atMs + deps.leaseMs,',
        replace: 'dueAtMs: null,',
      },
    ],
  },
  {
    name: 'reversal_not_posted',
    what: 'A payment the bank took back is closed without an entry in the books.',
    patches: [
      {
        file: 'src/domain/settlement/reversal.ts',
        find: "        entries: [taken('credit_reversed', credit, credit.amountMinor)],\n",
        replace: '',
      },
    ],
  },
  {
    name: 'reversed_payment_still_counts',
    what: 'A payment the bank took back before the tokens left still counts for its buy.',
    patches: [
      {
        file: 'src/domain/settlement/reversal.ts',
        find: '    ...(unsent && (lostMinor === 0n || leftMinor > 0n) && told(facts, leftMinor)),\n',
        replace: '',
      },
    ],
  },
  {
    name: 'reversal_of_sent_is_no_loss',
    what: 'A payment the bank took back after the tokens left is taken off what is owed, not booked as a loss.',
    patches: [
      {
        file: 'src/domain/settlement/reversal.ts',
        find: 'const lostMinor = unsent ? goneMinor : goneMinor + paidMinor;',
        replace: 'const lostMinor = goneMinor;',
      },
    ],
  },
  {
    name: 'payout_outcomes_shifted',
    seeds: 1000,
    what: 'The outcomes of a commit are read beside a shorter list: a held sell shifts all that follow.',
    patches: [
      {
        file: PAY_OUT,
        find: 'payouts.push(payout?.start ?? null);',
        replace: 'if (payout?.start !== undefined) payouts.push(payout.start);',
      },
    ],
  },
];
