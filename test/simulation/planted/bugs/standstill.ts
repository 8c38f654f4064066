// Lists small planted bugs in halts, restores, days and repeated reports. All other tests once missed each of these bugs.
import { type Bug, within } from '../patch.ts';

export const STANDSTILL_BUGS: readonly Bug[] = [
  {
    name: 'halt_of_the_other_mode',
    what: 'A halt of an asset in one mode stops it in the other.',
    patches: [
      within('isAssetHalted', { folder: 'engine' }).exchange(
        'halts.has(',
        "halts.has('live ' + asset) || deps.catalogue().halts.has(",
      ),
    ],
  },
  {
    name: 'theft_beside_a_credit_cancels',
    what: 'A debit and a credit of the statement that share nothing but the amount cancel each other.',
    patches: [within('belongTogether').exchange('isReversalPair(a, b, workingDays)', 'true')],
  },
  {
    name: 'theft_is_a_debit_of_the_books',
    what: 'A row that nothing names is taken for a payout that will be booked later.',
    patches: [within('explainDifferences').exchange('leaving.has(id)', 'true')],
  },
  {
    name: 'reversal_while_trustline_is_awaited',
    seeds: 600,
    what: 'A payment that is taken back while its buy waits for a trustline is a loss, and the tokens are still sent.',
    patches: [within('UNSENT_STATES').drop("'awaiting_trustline'")],
  },
  {
    name: 'limit_of_the_day_of_creation',
    seeds: 600,
    what: 'The day of a limit is the day on which the transaction was created.',
    patches: [within('checkLimits').exchange('deps.clock.now()', 'transaction.createdAtMs')],
  },
  {
    name: 'limit_of_the_day_in_greenwich',
    seeds: 600,
    what: 'The day of a limit begins at midnight in Greenwich.',
    patches: [within('checkLimits').exchange('lagosDay(now)', 'lagosDay(now - 3_600_000)')],
  },
  {
    name: 'repeated_return_is_two_returns',
    what: 'Two notices under different names about one payout are booked twice.',
    patches: [
      within('handleReturnedPayout').exchange(
        "movement.state === 'done'",
        "['done', 'returned'].includes(movement.state)",
      ),
      within('makePayoutCase', { folder: 'settlement' }).drop('movementId: movement.id'),
    ],
  },
  {
    name: 'return_remembered_by_transaction',
    seeds: 600,
    what: 'A returned payout is recorded with its transaction: a refund without a transaction can be returned again and again.',
    patches: [
      within('handleReturnedPayout').exchange(
        "movement.state === 'done'",
        "['done', 'returned'].includes(movement.state)",
      ),
      within('makePayoutCase', { folder: 'settlement' }).exchange(
        'movementId: movement.id',
        '...(transaction !== null && { movementId: movement.id })',
      ),
    ],
  },
  {
    name: 'halted_payout_is_started',
    what: 'A sell is paid out while the naira is halted.',
    patches: [
      within('planPayout', { folder: 'movements' }).drop('|| isAssetHalted(deps, { mode, asset: NAIRA })'),
    ],
  },
  {
    name: 'halted_released_payout_is_started',
    what: 'A sell that was released in review is paid out while the naira is halted.',
    seeds: 600,
    patches: [
      within('planPayout', { folder: 'movements' }).before('isAssetHalted(', '!transaction.released &&'),
    ],
  },
  {
    name: 'halted_refund_is_started',
    what: 'A refund by bank begins while the naira is halted.',
    patches: [within('startPayout').drop('|| isAssetHalted(deps, movement)')],
  },
  {
    name: 'halted_payout_is_offered_again',
    seeds: 600,
    what: 'A payout that the bank does not know is sent again while the naira is halted.',
    patches: [
      within('decidePayout', { beside: 'settlePayout' }).exchange('isAssetHalted(deps, movement)', 'false'),
    ],
  },
  {
    name: 'halted_send_is_started',
    what: 'Tokens of a buy are sent while they are halted.',
    patches: [within('planSend').exchange('isAssetHalted(deps, { mode, asset })', 'false')],
  },
  {
    name: 'halted_send_is_signed_again',
    seeds: 600,
    what: 'A dead attempt is followed by a new one while its token is halted.',
    patches: [within('draftAttempt').exchange('isAssetHalted(deps, movement)', 'false')],
  },
  {
    name: 'halted_stored_send_leaves',
    seeds: 600,
    what: 'Bytes that are stored and were never broadcast are broadcast while their token is halted.',
    patches: [within('followSend').exchange('isAssetHalted(deps, movement)', 'false')],
  },
  {
    name: 'halted_unknown_send_is_offered_again',
    from: 2001,
    seeds: 1000,
    what: 'Bytes with an unknown outcome are broadcast again while their token is halted.',
    patches: [within('onNotFound').drop('&& !isAssetHalted(deps, movement)')],
  },
  {
    name: 'gap_in_a_wallets_order',
    seeds: 600,
    what: 'Bytes with a sequence number behind one that was not stored are stored: their turn never comes.',
    patches: [within('storeUnits').exchange('gaps > 0', 'gaps > 99')],
  },
  {
    name: 'sequence_numbers_ordered_as_text',
    seeds: 600,
    what: 'The highest sequence number of a wallet is found by comparing text: 9 comes after 10.',
    patches: [
      within('turnOf').exchange('BigInt(a.sequence!) < BigInt(b.sequence!)', 'a.sequence! < b.sequence!'),
    ],
  },
  {
    name: 'fee_of_today',
    what: 'The fee of a buy is the fee at the time its tokens are sent.',
    patches: [
      within('planSend').addImport('feeFor'),
      within('planSend').exchange(
        'transaction.feeMinor',
        "feeFor(deps.catalogue().fees.test, { ...transaction, product: 'buy', atMs: deps.clock.now() })",
      ),
    ],
  },
  {
    name: 'absence_behind_the_height_is_death',
    what: 'A provider that is behind does not show a transfer whose bound has passed by now: the transfer counts as dead.',
    patches: [
      within('makeLagging').exchange(
        'ask: (envelope) => asked().ask(envelope)',
        `ask: async (envelope) => {
          const status = await asked().ask(envelope);
          const late = agenda.now() > Number(envelope.versions[0]!.bound);
          return status.kind === 'pending' && late ? { kind: 'dead', death: { evidence: {} } } : status;
        }`,
      ),
    ],
  },
  {
    name: 'restored_and_not_paused',
    seeds: 1000,
    what: 'A backup is restored, and movements continue at once: what was paid since is paid again.',
    patches: [within('mayRestore').drop('restore.holds = true; still.pausedMs ??= agenda.now();')],
  },
  {
    name: 'resumed_without_reconciling',
    seeds: 1000,
    what: 'After a restore movements are resumed although the backup does not contain payments made since.',
    patches: [within('mayRestore').exchange('unknown !== null', 'false')],
  },
];
