// Mistakes about tokens: sending them, following what was sent, and counting what comes in.
import type { Bug } from './plant.ts';

const SEND = 'src/app/movements/send-tokens.ts';
const SIGN = 'src/app/movements/sign-payments.ts';
const NETWORK_STEPS = 'src/app/movements/network-steps.ts';
const OBSERVE = 'src/app/settlement/observe-deposits.ts';
const CONFIRM = 'src/app/settlement/confirm-deposits.ts';
const SELL = 'src/domain/settlement/sell.ts';

export const NETWORK_BUGS: readonly Bug[] = [
  {
    name: 'broadcast_unknown_is_rejected',
    what: 'A broadcast whose outcome is unknown is taken for rejected, and a new attempt is signed.',
    patches: [
      {
        file: 'src/app/movements/broadcast.ts',
        find: 'return unknown(send, { atMs, dueAtMs }, outcome.reason);',
        replace: "return dead(send, { atMs, dueAtMs }, 'rejected', { reason: outcome.reason });",
      },
    ],
  },
  {
    name: 'network_unknown_is_dead',
    what: 'A question to the network that gets no answer proves an attempt dead.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: "case 'unknown':\n      return unknown(alive, soon, status.reason);",
        replace: "case 'unknown':\n      return dead(alive, next, 'dead', { reason: status.reason });",
      },
    ],
  },
  {
    name: 'pending_send_signed_again',
    what: 'A send that is pending for long is signed again without proof that the first is dead.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: "    case 'pending':\n",
        replace: `    case 'pending':
      if (attempt.state === 'accepted' && movement.tries > 1)
        return dead(alive, next, 'dead', { reason: 'too slow' });
`,
      },
    ],
  },
  {
    name: 'dead_by_our_own_clock',
    what: 'Bytes whose time is over by our own clock are taken for dead without asking the network.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: '  const status = await contact.ask(attempt);\n',
        replace: `  if (attempt.bound !== null && deps.clock.now() > Number(attempt.bound)) {
    const atMs = deps.clock.now();
    return dead(alive, { atMs, dueAtMs: atMs }, 'dead', { bound: attempt.bound });
  }
  const status = await contact.ask(attempt);
`,
      },
    ],
  },
  {
    name: 'broadcast_while_storing',
    what: 'To save time the signed bytes are broadcast while they are being stored.',
    patches: [
      {
        file: SIGN,
        find: '    const outcomes = await deps.store.commit(group.map(',
        replace: `    const early = group.flatMap(({ starts }) => starts);
  const told = early.map(({ attempt, movement }) =>
    deps.networks.find(movement.mode, movement.network!)!.broadcast(envelopeOf(attempt).versions[0]!),
  );
  await Promise.all(told);
  const outcomes = await deps.store.commit(group.map(`,
      },
      {
        file: SIGN,
        find: "import { attemptOf } from './attempts.ts';",
        replace: "import { attemptOf, envelopeOf } from './attempts.ts';",
      },
    ],
  },
  {
    name: 'send_of_lost_race_is_broadcast',
    what: 'The bytes of a send whose commit was stale are broadcast all the same.',
    patches: [
      {
        file: SIGN,
        find: "if (outcome.kind === 'committed') {",
        replace: "if (outcome.kind !== 'refused') {",
      },
    ],
  },
  {
    name: 'unpaid_order_is_done',
    seeds: 1000,
    what: 'An order that was not paid counts as paid because the bytes it was in have landed.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: '({ index }) => index === attempt.index',
        replace: '({ index }) => index < 0',
      },
    ],
  },
  {
    name: 'one_unpaid_order_is_all',
    seeds: 1000,
    what: 'One order that was not paid makes all orders in the same bytes be signed again.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: '({ index }) => index === attempt.index',
        replace: '({ index }) => index >= 0',
      },
    ],
  },
  {
    name: 'orders_stored_one_by_one',
    what: 'Orders in the same bytes are stored in changes of their own, and told when one of them is.',
    patches: [
      {
        file: SIGN,
        find: '    change: together(stored.map(({ change }) => change)),',
        replace: '    change: stored[0]!.change,',
      },
    ],
  },
  {
    name: 'gross_amount_sent',
    what: 'Tokens for the gross amount are sent, the fee is not taken off.',
    patches: [
      {
        file: SEND,
        find: 'const nairaMinor = transaction.amountMinor - transaction.feeMinor;',
        replace: 'const nairaMinor = transaction.amountMinor;',
      },
    ],
  },
  {
    name: 'decimals_of_first_network',
    what: 'The decimals of the first network are used for tokens on all of them.',
    patches: [
      {
        file: SEND,
        find: 'koboToToken(nairaMinor, network.asset.decimals)',
        replace: 'koboToToken(nairaMinor, deps.networks.enabled(mode)[0]!.asset.decimals)',
      },
    ],
  },
  {
    name: 'observed_position_before_deposits',
    what: 'The position of a network’s observer moves with the first of its two commits.',
    patches: [
      {
        file: OBSERVE,
        find: 'const outcomes = await deps.store.commit(telling);',
        replace: 'const outcomes = await deps.store.commit(telling, feed);',
      },
    ],
  },
  {
    name: 'any_token_is_ours',
    what: 'Another token under the same symbol counts as ours.',
    patches: [
      {
        file: OBSERVE,
        find: 'const { ourToken, amountMinor,',
        replace: 'const ourToken = true;\n  const { amountMinor,',
      },
    ],
  },
  {
    name: 'deposit_memo_ignored',
    what: 'The memo of a deposit is not looked at: on a network with one address for all, nobody gets it.',
    patches: [
      {
        file: OBSERVE,
        find: "({ address, memo: memo ?? '' })",
        replace: "({ address, memo: '' })",
      },
    ],
  },
  {
    name: 'pending_deposit_counts',
    what: 'A deposit counts when it is seen, not when it is final.',
    patches: [
      {
        file: CONFIRM,
        find: "answer === 'pending' || answer === 'unknown' || !known",
        replace: "answer === 'unknown' || !known",
      },
      {
        file: CONFIRM,
        find: "answer === 'final' || answer === 'gone'",
        replace: "answer !== 'unknown'",
      },
    ],
  },
  {
    name: 'unknown_deposit_is_gone',
    what: 'A deposit the network gives no answer about is taken for dropped.',
    patches: [
      {
        file: CONFIRM,
        find: "answer === 'pending' || answer === 'unknown' || !known",
        replace: "answer === 'pending' || !known",
      },
      {
        file: CONFIRM,
        find: "answer === 'final' || answer === 'gone'",
        replace: "answer !== 'pending'",
      },
      {
        file: CONFIRM,
        find: "  if (answer === 'gone') {",
        replace: "  if (answer !== 'final') {",
      },
    ],
  },
  {
    name: 'paid_sell_only_handed_over',
    what: 'A sell whose tokens are all there is handed to the payout stage in memory only.',
    patches: [
      {
        file: SELL,
        find: 'dueAtMs: facts.nextDueMs,',
        replace: 'dueAtMs: null,',
      },
    ],
  },
  {
    name: 'late_deposit_refunded_at_every_look',
    what: 'A late deposit is refunded and stays where it was: at the next look it is refunded again.',
    patches: [
      {
        file: SELL,
        find: "moveOf(deposit, { state: 'refunded', exception: reason, dueAtMs: null })",
        replace: 'moveOf(deposit, { exception: reason })',
      },
    ],
  },
  {
    name: 'excess_deposit_refunds_all',
    what: 'When too many tokens came, all of them go back and the sell is paid out as well.',
    patches: [
      {
        file: SELL,
        find: 'const tokens = koboToToken(excessMinor, decimals)!;\n  const facts',
        replace: 'const tokens = deposit.amountMinor;\n  const facts',
      },
    ],
  },
  {
    name: 'earlier_parts_not_applied',
    what: 'When the rest of the tokens comes, the parts that came before stay in suspense.',
    patches: [
      {
        file: SELL,
        find: 'deposits: used.map((each) => moveOf(each.deposit, {',
        replace: 'deposits: used.slice(-1).map((each) => moveOf(each.deposit, {',
      },
    ],
  },
  {
    name: 'short_deposit_refunded_and_kept',
    what: 'A short deposit goes back and still waits in suspense for the rest.',
    patches: [
      {
        file: 'src/app/settlement/expire-transactions.ts',
        find: "    deposits: parts.map(({ deposit }) => moveOf(deposit, { state: 'refunded', dueAtMs: null })),\n",
        replace: '',
      },
    ],
  },
  {
    name: 'part_of_a_kobo_rounded_up',
    what: 'Tokens worth less than a kobo are rounded up to one.',
    patches: [
      {
        file: 'src/domain/values/money.ts',
        find: 'kobo: tokens / unit,',
        replace: 'kobo: (tokens + unit - 1n) / unit,',
      },
    ],
  },
  {
    name: 'innocent_order_is_done',
    seeds: 600,
    what: 'Of bytes that failed only the order that made them fail counts as not paid.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: "    case 'failed':\n",
        replace: `    case 'failed':
      if (isInnocent(attempt, status))
        return finished(alive, atMs, { reason: status.reason }, { feeMinor: 0n, chargeMinor: 0n });
`,
      },
    ],
  },
  {
    name: 'undone_transfer_is_done',
    what: 'A transfer that was included and undone counts as made.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: '  if (goesOn) return dead(',
        replace: `  if (goesOn) return finished(alive, atMs, { reason }, { feeMinor: 0n, chargeMinor: 0n });
  if (goesOn) return dead(`,
      },
    ],
  },
  {
    name: 'worthless_tokens_count_with_the_rest',
    what: 'Another token that lies at the address of a sell counts as a part of what was asked for.',
    patches: [
      {
        file: CONFIRM,
        find: " && each.exception === 'paid_partial'",
        replace: '',
      },
    ],
  },
];
