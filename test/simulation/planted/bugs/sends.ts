// Lists planted bugs in sends of tokens: how the service signs them, broadcasts them and tracks them.
import { type Bug, within } from '../patch.ts';

/**
 * The step that queries a network about a send. The file contact-network.ts has a function with the same name, so this spot
 * also names a neighbouring function.
 */
const ask = within('askAboutSend', { beside: 'followSend' });

export const SEND_BUGS: readonly Bug[] = [
  {
    name: 'broadcast_unknown_is_rejected',
    what: 'A broadcastSend with an recordUnknown outcome is treated as rejected, and a new attempt is signed.',
    patches: [
      within('broadcastSend').exchange(
        'recordUnknown(send, { atMs, dueAtMs }, outcome.reason)',
        "endAttempt(send, { atMs, dueAtMs }, 'rejected', { reason: outcome.reason })",
      ),
    ],
  },
  {
    name: 'network_unknown_is_dead',
    what: 'A question that the network does not answer counts as proof that an attempt is dead.',
    patches: [
      ask.after("case 'unknown':", "return endAttempt(alive, next, 'dead', { reason: status.reason });"),
    ],
  },
  {
    name: 'pending_send_signed_again',
    what: 'A send that is pending for long is signed again without proof that the first is dead.',
    patches: [
      ask.after(
        "case 'pending':",
        `if (attempt.state === 'accepted' && movement.tries > 1)
        return endAttempt(alive, next, 'dead', { reason: 'too slow' });`,
      ),
    ],
  },
  {
    name: 'dead_by_our_own_clock',
    what: 'An attempt that has expired by our own clock is treated as dead without asking the network.',
    patches: [
      ask.before(
        'const status',
        `if (attempt.bound !== null && deps.clock.now() > Number(attempt.bound)) {
    const atMs = deps.clock.now();
    return endAttempt(alive, { atMs, dueAtMs: atMs }, 'dead', { bound: attempt.bound });
  }`,
      ),
    ],
  },
  {
    name: 'broadcast_while_storing',
    what: 'To save time the signed bytes are broadcast while they are being stored.',
    patches: [
      within('storeUnits').addImport('envelopeOf'),
      within('storeUnits').before(
        'const outcomes',
        `const broadcasts = group
      .flatMap(({ starts }) => starts)
      .map(({ attempt, movement }) =>
        deps.networks.find(movement.mode, movement.network!)!.broadcast(envelopeOf(attempt).versions[0]!),
      );
    await Promise.all(broadcasts);`,
      ),
    ],
  },
  {
    name: 'send_of_lost_race_is_broadcast',
    what: 'The bytes of a send whose commit was stale are broadcast all the same.',
    patches: [within('storeUnits').exchange("outcome.kind === 'committed'", "outcome.kind !== 'refused'")],
  },
  {
    name: 'unpaid_order_is_done',
    seeds: 1000,
    what: 'An order that was not paid counts as paid because its envelope is final.',
    patches: [ask.exchange('unpaid !== undefined', 'unpaid === null')],
  },
  {
    name: 'one_unpaid_order_is_all',
    seeds: 1000,
    what: 'One order that was not paid makes all orders in the same envelope be signed again.',
    patches: [ask.exchange('status.unpaid.find', 'status.unpaid[0] ?? status.unpaid.find')],
  },
  {
    name: 'orders_stored_one_by_one',
    what: 'Orders in the same envelope are stored in changes of their own, and broadcast when one of them is stored.',
    patches: [
      within('makeUnit').exchange('mergeChanges(stored.map(({ change }) => change))', 'stored[0]!.change'),
    ],
  },
  {
    name: 'gross_amount_sent',
    what: 'Tokens for the gross amount are sent: the fee is not deducted.',
    patches: [within('planSend').drop('- transaction.feeMinor')],
  },
  {
    name: 'decimals_of_first_network',
    what: 'The decimals of the first network are used for tokens on all of them.',
    patches: [
      within('planSend').exchange('network.asset.decimals', 'deps.networks.enabled(mode)[0]!.asset.decimals'),
    ],
  },
  {
    name: 'innocent_order_is_done',
    seeds: 600,
    what: 'When an envelope fails, only the order that made it fail counts as not paid.',
    patches: [
      ask.after(
        "case 'failed':",
        `if (failedBecauseOfOthers(attempt, status))
        return finishMovement(alive, atMs, { reason: status.reason }, { feeMinor: 0n, chargeMinor: 0n });`,
      ),
    ],
  },
  {
    name: 'undone_transfer_is_done',
    what: 'A transfer that was included and undone counts as made.',
    patches: [
      within('retryOrGiveUp').before(
        'if (goesOn)',
        'if (goesOn) return finishMovement(alive, atMs, { reason }, { feeMinor: 0n, chargeMinor: 0n });',
      ),
    ],
  },
  {
    name: 'included_is_final',
    what: 'A transfer that is in a block is treated as final.',
    patches: [
      ask.exchange(
        'recordInclusion(alive, soon, status.confirmations)',
        'finishMovement(alive, atMs, { confirmations: status.confirmations }, { feeMinor: 0n, chargeMinor: 0n })',
      ),
    ],
  },
];
