// Lists planted bugs in the ledger and in the commits that write ledger entries.
import { type Bug, within } from '../patch.ts';

export const LEDGER_BUGS: readonly Bug[] = [
  {
    name: 'books_in_second_commit',
    what: 'The state of a movement and its ledger entries are written in two commits, one after the other.',
    patches: [
      within('commitSteps').exchange(
        'const outcomes = await deps.store.commit(changes);',
        `const outcomes = await deps.store.commit(changes.map((change) => ({ ...change, entries: [] })));
  await deps.store.commit(changes.filter((_, index) => outcomes[index]!.kind === 'committed').map(
    ({ atMs, entries }) => ({ atMs, entries: entries ?? [] }),
  ));`,
      ),
    ],
  },
  {
    name: 'confirmed_naira_not_posted',
    what: 'When tokens arrived, only the tokens are posted and not their naira.',
    patches: [within('LEDGER_EVENTS').drop(", nairaLeg('in_flight', 'delivered')")],
  },
  {
    name: 'payout_fee_not_posted',
    what: 'The fee of a sell is kept and not posted.',
    patches: [within('LEDGER_EVENTS').drop(", nairaLeg('payouts_due', 'fees', 'fee')")],
  },
  {
    name: 'buy_fee_not_posted',
    what: 'The fee of a buy is kept and not posted.',
    patches: [
      within('reserveTokens').drop(
        "entryOf('fee_taken', { ...of, amounts: { amount: transaction.feeMinor } })",
      ),
    ],
  },
  {
    name: 'bank_charge_not_posted',
    what: 'The bank’s charge for a payout is not posted.',
    patches: [within('finishMovement').drop('...chargeEntries(movement, costs.chargeMinor)')],
  },
  {
    name: 'reservation_not_released',
    what: 'The reservation of a movement that was given up is not released.',
    patches: [within('giveUpMovement').drop('...releaseEntries(movement, feeMinor)')],
  },
  {
    name: 'dead_send_still_posted_as_sent',
    what: 'An attempt that died after the network had accepted it stays posted as sent.',
    patches: [within('endAttempt').drop("...(sent ? stepEntries(movement, 'unsend') : [])")],
  },
  {
    name: 'arrived_without_being_sent',
    what: 'Tokens that arrived before the send was known to be accepted are not posted as sent.',
    patches: [within('finishMovement').drop("...(wasSent(alive) ? [] : stepEntries(movement, 'send'))")],
  },
  {
    name: 'tokens_back_twice',
    what: 'A failed payout refunds also the excess tokens, which were refunded already.',
    patches: [
      within('makeTokenRefunds').exchange(
        'kobo < leftMinor && index < deposits.length - 1 ? kobo : leftMinor',
        'kobo + backMinor',
      ),
    ],
  },
  {
    name: 'failed_payout_keeps_tokens',
    what: 'After a failed payout the tokens are posted as due to be refunded, and no refund is made.',
    patches: [within('undoPayout').drop('newMovements: movements')],
  },
];
