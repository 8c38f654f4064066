// Lists planted bugs in payouts and in the code that handles the bank's reports.
import { type Bug, within } from '../patch.ts';

const IN_OUTCOME = { beside: 'decideOutcome' } as const;

export const BANK_BUGS: readonly Bug[] = [
  {
    name: 'bank_unknown_is_failed',
    what: 'A payout with an unknown outcome is treated as failed, and the tokens are refunded.',
    patches: [
      within('decideUnclear', IN_OUTCOME).exchange(
        "return { kind: 'unknown', memory: before, reason };",
        "return { kind: 'unpaid', proof: 'refused', fault: 'payout', reason };",
      ),
    ],
  },
  {
    name: 'bank_not_found_is_failed',
    what: 'A bank that does not know the reference yet is taken to have refused the payout.',
    patches: [
      within('decideNotFound', IN_OUTCOME).exchange(
        "return { kind: 'unknown', memory, reason: REFERENCE_UNKNOWN };",
        "return { kind: 'unpaid', proof: 'refused', fault: 'payout', reason: REFERENCE_UNKNOWN };",
      ),
    ],
  },
  {
    name: 'bank_pending_is_paid',
    what: 'A payout that the bank has accepted counts as paid before the bank has paid it.',
    patches: [
      within('settlePayout').exchange(
        'recordPayoutPending(alive, decision.memory, later())',
        'finishMovement(alive, atMs, {}, { feeMinor: feeOf(alive), chargeMinor: 0n })',
      ),
    ],
  },
  {
    name: 'payout_resent_under_new_reference',
    what: 'A payout that is sent to the bank again gets a new reference, so the bank pays it again.',
    seeds: 400,
    patches: [
      within('placeOrder').exchange(
        'reference: attempt.reference',
        "reference: attempt.reference + (called === 'ordered_first' ? '' : '-2')",
      ),
    ],
  },
  {
    name: 'payout_given_up_when_slow',
    what: 'A payout with an unknown outcome is given up after a few questions to the bank.',
    patches: [
      within('settlePayout').after(
        "case 'unknown':",
        `if (movement.tries > 2 && movement.kind === 'payout')
        return { change: await undoPayout(deps, alive, 'the bank does not answer', atMs) };`,
      ),
    ],
  },
  {
    name: 'payout_of_lost_race_is_made',
    what: 'A payout whose commit was stale is made all the same.',
    patches: [within('payOut').exchange("outcome.kind === 'committed'", "outcome.kind !== 'refused'")],
  },
  {
    name: 'prepared_payout_ordered_again',
    what: 'A payout that another step stored, and may have sent, is ordered again.',
    patches: [
      within('askOrStartPayout').addImport('placeOrder'),
      within('askOrStartPayout').exchange(
        'await askRail(deps, alive)',
        `attempt!.state === 'prepared'
        ? (await placeOrder(deps, { ...alive, attempt: { ...attempt!, state: 'unknown' } }))
        : (await askRail(deps, alive))`,
      ),
    ],
  },
  {
    name: 'not_found_ordered_again_at_once',
    what: 'A payout that its rail does not know yet is ordered again at the first such answer.',
    patches: [
      within('decideNotFound', IN_OUTCOME).exchange(
        'counts ? before.notFound + 1 : before.notFound',
        'MIN_NOT_FOUND_ANSWERS',
      ),
    ],
  },
  {
    name: 'refusal_not_confirmed',
    what: 'A payout that its rail refused goes another way without a further question.',
    patches: [
      within('decideOutcome').exchange(
        'return awaitConfirmation({ reason, fault, sinceMs, confirmedMs: null }, sinceMs + terms.confirmAfterMs);',
        "return { kind: 'unpaid', proof: 'refused', fault, reason };",
      ),
    ],
  },
  {
    name: 'refusal_confirmed_once',
    what: 'One question is enough to believe a refusal.',
    patches: [within('confirmRefusal', IN_OUTCOME).exchange('if (confirmedMs === null)', 'if (false)')],
  },
  {
    name: 'refusal_confirmed_too_early',
    what: 'Questions confirm a refusal however soon after it they are asked.',
    patches: [
      within('decideOutcome').exchange('sinceMs + terms.confirmAfterMs', 'sinceMs + 1_000'),
      within('confirmRefusal', IN_OUTCOME).exchange(
        "called !== 'asked' || beganMs < dueMs",
        "called !== 'asked'",
      ),
      within('confirmRefusal', IN_OUTCOME).exchange('beganMs + terms.confirmAgainMs', 'beganMs + 1_000'),
    ],
  },
  {
    name: 'payout_without_the_fee_taken_off',
    what: 'The gross amount is paid out: the fee is not deducted.',
    patches: [within('reservePayout').drop('- feeMinor')],
  },
  {
    name: 'payout_fee_taken_twice',
    what: 'The fee is deducted from the amount twice.',
    patches: [within('reservePayout').exchange('- feeMinor', '- feeMinor * 2n')],
  },
  {
    name: 'returned_payout_sends_tokens_home',
    what: 'A payout that the bank returned also refunds the tokens, although the naira is kept for the customer.',
    patches: [
      within('handleReturnedPayout').addImport('makeTokenRefunds'),
      within('handleReturnedPayout').exchange(
        "return bookReturnedPayout({ notice, movement, transaction, caseId: newId(deps, 'cas'), atMs: deps.clock.now() });",
        `const booked = bookReturnedPayout({ notice, movement, transaction, caseId: newId(deps, 'cas'), atMs: deps.clock.now() });
  const { movements } = await makeTokenRefunds(deps, transaction, 'payout_returned', booked.atMs);
  return { ...booked, newMovements: movements };`,
      ),
    ],
  },
  {
    name: 'feed_position_before_lines',
    what: 'The position in the bank’s feed is stored before the lines that were read are.',
    patches: [
      within('readBankFeed').drop(', { hold, position }'),
      within('readBankFeed').before('const credits', 'await deps.store.commit([], { hold, position });'),
    ],
  },
  {
    name: 'new_credit_only_handed_over',
    what: 'A new credit is handed to matching in memory only and is in no queue.',
    patches: [within('makeCredit', { beside: 'recordLines' }).exchange('atMs + deps.leaseMs', 'null')],
  },
  {
    name: 'reversal_not_posted',
    what: 'A payment that the bank took back is closed without an entry in the ledger.',
    patches: [
      within('reverseCredit').drop(
        "entries: [makeReversalEntry('credit_reversed', credit, credit.amountMinor)]",
      ),
    ],
  },
  {
    name: 'reversed_payment_still_counts',
    what: 'A payment that the bank took back before the tokens were sent still counts for its buy.',
    patches: [within('undoUsedCredit').exchange('unsent && (lostMinor === 0n || leftMinor > 0n)', 'false')],
  },
  {
    name: 'reversal_of_sent_is_no_loss',
    what: 'A payment that the bank took back after the tokens were sent reduces what is owed and is not posted as a loss.',
    patches: [within('undoUsedCredit').exchange('unsent ? goneMinor : goneMinor + paidMinor', 'goneMinor')],
  },
  {
    name: 'gathered_outcomes_mixed_up',
    seeds: 1000,
    what: 'Of changes that were committed together each gets the outcome of the first.',
    patches: [within('makeBatcher', { folder: 'engine' }).exchange('outcomes[index]!', 'outcomes[0]!')],
  },
];
