// Lists planted bugs in the code that handles incoming tokens. This code observes deposits, waits until they are final, and
// counts them for a sell.
import { type Bug, within } from '../patch.ts';

const confirming = { beside: 'confirmDeposits' };
const observing = { beside: 'observeDeposits' };

export const DEPOSIT_BUGS: readonly Bug[] = [
  {
    name: 'observed_position_before_deposits',
    what: 'The position of a network’s observer moves with the first of its two commits.',
    patches: [within('recordSightings', observing).exchange('commit(moving)', 'commit(moving, feed)')],
  },
  {
    name: 'any_token_is_ours',
    what: 'Another token under the same symbol counts as ours.',
    patches: [
      within('makeDeposit', observing).exchange('const { ourToken,', 'const ourToken = true; const {'),
    ],
  },
  {
    name: 'deposit_memo_ignored',
    what: 'The memo of a deposit is ignored: on a network with one address for all, no sell gets it.',
    patches: [within('decideSightings', observing).exchange("memo ?? ''", "''")],
  },
  {
    name: 'pending_deposit_counts',
    what: 'A deposit counts when it is seen, not when it is final.',
    patches: [
      within('decideDeposit', confirming).drop("answer === 'pending' ||"),
      within('decideDeposits', confirming).exchange(
        "answer === 'final' || answer === 'gone'",
        "answer !== 'unknown'",
      ),
    ],
  },
  {
    name: 'unknown_deposit_is_gone',
    what: 'A deposit that the network gives no answer about is treated as gone.',
    patches: [
      within('decideDeposit', confirming).drop("answer === 'unknown' ||"),
      within('decideDeposit', confirming).exchange("answer === 'gone'", "answer !== 'final'"),
      within('decideDeposits', confirming).exchange(
        "answer === 'final' || answer === 'gone'",
        "answer !== 'pending'",
      ),
    ],
  },
  {
    name: 'paid_sell_only_handed_over',
    what: 'A sell whose tokens have all arrived is handed to the payout stage in memory only.',
    patches: [within('applyDeposits').exchange('facts.nextDueMs', 'null')],
  },
  {
    name: 'late_deposit_refunded_at_every_look',
    what: 'A late deposit is refunded and keeps its state: the next time it is handled it is refunded again.',
    patches: [
      within('returnDeposit').exchange(
        "{ state: 'refunded', exception: reason, dueAtMs: null }",
        '{ exception: reason }',
      ),
    ],
  },
  {
    name: 'excess_deposit_refunds_all',
    what: 'When too many tokens came, all of them are refunded and the sell is paid out as well.',
    patches: [within('refundExcess').exchange('koboToToken(excessMinor, decimals)!', 'deposit.amountMinor')],
  },
  {
    name: 'earlier_parts_not_applied',
    what: 'When the rest of the tokens comes, the parts that came before stay in suspense.',
    patches: [within('applyDeposits').exchange('deposits: used', 'deposits: used.slice(-1)')],
  },
  {
    name: 'short_deposit_refunded_and_kept',
    what: 'A short deposit is refunded and still waits in suspense for the rest.',
    patches: [within('settleShortDeposit').exchange('deposits: parts', 'deposits: parts.slice(0, 0)')],
  },
  {
    name: 'part_of_a_kobo_rounded_up',
    what: 'Tokens worth less than a kobo are rounded up to one.',
    patches: [within('tokenToKobo').exchange('tokens / unit', '(tokens + unit - 1n) / unit')],
  },
  {
    name: 'worthless_tokens_count_with_the_rest',
    what: 'Another token at the address of a sell counts as a part of the amount that was asked for.',
    patches: [within('decideDeposit', confirming).drop("&& each.exception === 'paid_partial'")],
  },
];
