// Mistakes about what stands still, about days, and about what is reported twice: small ones, each of which every other test
// once let pass.
import type { Bug } from './plant.ts';

const BANK_STEPS = 'src/app/movements/bank-steps.ts';
const NETWORK_STEPS = 'src/app/movements/network-steps.ts';
const NOTICES = 'src/app/settlement/handle-notices.ts';

export const STANDSTILL_BUGS: readonly Bug[] = [
  {
    name: 'reversal_while_trustline_is_awaited',
    seeds: 600,
    what: 'A payment that is taken back while its buy waits for a wallet is a loss, and the tokens still go.',
    patches: [
      {
        file: 'src/domain/settlement/reversal.ts',
        find: "'on_hold', 'awaiting_trustline']",
        replace: "'on_hold']",
      },
    ],
  },
  {
    name: 'limit_of_the_day_of_creation',
    seeds: 600,
    what: 'The day of a limit is the day on which the transaction was asked for.',
    patches: [
      {
        file: 'src/app/settlement/hold-checks.ts',
        find: 'const now = deps.clock.now();',
        replace: 'const now = transaction.createdAtMs;',
      },
    ],
  },
  {
    name: 'limit_of_the_day_in_greenwich',
    seeds: 600,
    what: 'The day of a limit begins at midnight in Greenwich.',
    patches: [
      {
        file: 'src/app/settlement/hold-checks.ts',
        find: 'period: lagosDay(now)',
        replace: 'period: lagosDay(now - 3_600_000)',
      },
    ],
  },
  {
    name: 'return_told_twice_is_two_returns',
    what: 'Two notices under different names about one payout are booked twice.',
    patches: [{ file: NOTICES, find: '      movementId: movement.id,\n', replace: '' }],
  },
  {
    name: 'return_remembered_by_transaction',
    seeds: 600,
    what: 'That a payout came back is remembered with its transaction: a refund that has none comes back again and again.',
    patches: [
      {
        file: NOTICES,
        find: '      movementId: movement.id,\n',
        replace: '      ...(id !== null && { movementId: movement.id }),\n',
      },
    ],
  },
  {
    name: 'halted_payout_is_started',
    what: 'A sell is paid out while the naira is halted.',
    patches: [
      {
        file: 'src/app/movements/pay-out.ts',
        find: ' || isHalted(deps, { mode, asset: NAIRA })',
        replace: '',
      },
    ],
  },
  {
    name: 'halted_refund_is_started',
    what: 'A refund by bank begins while the naira is halted.',
    patches: [
      {
        file: BANK_STEPS,
        find: ' || isHalted(deps, movement)) {\n    return { change: { atMs, movements',
        replace: ') {\n    return { change: { atMs, movements',
      },
    ],
  },
  {
    name: 'halted_stored_payout_leaves',
    seeds: 600,
    what: 'A payout that is stored and never reached the bank leaves while the naira is halted.',
    patches: [
      {
        file: BANK_STEPS,
        find: "if (attempt.state === 'prepared' && isHalted(deps, movement)) {",
        replace: "if (attempt.state === 'prepared' && movement.version < 0) {",
      },
    ],
  },
  {
    name: 'halted_payout_is_offered_again',
    seeds: 600,
    what: 'A payout the bank does not know is offered again while the naira is halted.',
    patches: [
      {
        file: BANK_STEPS,
        find: ' && !isHalted(deps, movement))\n        return pay',
        replace: ')\n        return pay',
      },
    ],
  },
  {
    name: 'halted_send_is_started',
    what: 'Tokens of a buy are sent while they are halted.',
    patches: [
      {
        file: 'src/app/movements/send-tokens.ts',
        find: '  if (isHalted(deps, { mode, asset })) return later(RETRY_MS * 4);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'halted_send_is_signed_again',
    seeds: 600,
    what: 'Bytes that did nothing are signed again while their token is halted.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: '  if (isHalted(deps, movement)) return later(movement, atMs, HALTED_MS);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'halted_stored_send_leaves',
    seeds: 600,
    what: 'Bytes that are stored and were never broadcast leave while their token is halted.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: '    if (isHalted(deps, movement)) return later(movement, deps.clock.now(), HALTED_MS);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'halted_unknown_send_is_offered_again',
    seeds: 1000,
    what: 'Bytes of unknown outcome are offered again while their token is halted.',
    patches: [
      {
        file: NETWORK_STEPS,
        find: "attempt.state === 'unknown' && !isHalted(deps, movement)",
        replace: "attempt.state === 'unknown'",
      },
    ],
  },
  {
    name: 'gap_in_a_wallets_order',
    seeds: 600,
    what: 'Bytes that were signed behind an order that is not stored are stored all the same: their place is never reached.',
    patches: [
      {
        file: 'src/app/movements/sign-payments.ts',
        find: 'if (ordered && gaps > 0) {',
        replace: 'if (ordered && gaps > 99) {',
      },
    ],
  },
  {
    name: 'places_ordered_as_text',
    seeds: 600,
    what: 'The highest place of a wallet is looked for as text: 9 is behind 10.',
    patches: [
      {
        file: 'test/simulation/model/reads.ts',
        find: '(BigInt(a.sequence!) < BigInt(b.sequence!) ? -1 : 1)',
        replace: '(a.sequence! < b.sequence! ? -1 : 1)',
      },
    ],
  },
  {
    name: 'refund_to_masked_namesake',
    seeds: 1000,
    what: 'A refund goes to the account of the claim although the digits the bank showed are another’s of the same name.',
    patches: [
      {
        file: 'src/app/movements/refund-destination.ts',
        find: "  if (compareAccounts(credit.payerAccount, accountNumber) === 'different') return null;\n",
        replace: '',
      },
    ],
  },
  {
    name: 'approved_after_it_shrank',
    seeds: 1_200,
    what: 'An approval is carried out although there is less of it than was proposed.',
    patches: [
      {
        file: 'src/app/review/decide-review.ts',
        find: 'plan.value.amountMinor !== proposal.amountMinor',
        replace: 'plan.value.amountMinor > proposal.amountMinor',
      },
    ],
  },
  {
    name: 'fee_of_today',
    what: 'The fee of a buy is the one that holds when its tokens are sent.',
    patches: [
      {
        file: 'src/app/movements/send-tokens.ts',
        find: 'const nairaMinor = transaction.amountMinor - transaction.feeMinor;',
        replace: `const nairaMinor =
    transaction.amountMinor -
    feeFor(deps.catalogue().fees.test, { ...transaction, product: 'buy', atMs: deps.clock.now() });`,
      },
      {
        file: 'src/app/movements/send-tokens.ts',
        find: "import { koboToToken } from '../../domain/values/money.ts';",
        replace:
          "import { koboToToken } from '../../domain/values/money.ts';\nimport { feeFor } from '../../domain/catalogue/fees.ts';",
      },
    ],
  },
  {
    name: 'absence_behind_the_height_is_death',
    what: 'A provider whose answers are behind does not show a transfer, and its bound has passed by now: it is called dead.',
    patches: [
      {
        file: 'test/simulation/world/lagging.ts',
        find: 'ask: (envelope) => asked().ask(envelope),',
        replace: `ask: async (envelope) => {
          const status = await asked().ask(envelope);
          const late = agenda.now() > Number(envelope.versions[0]!.bound);
          return status.kind === 'pending' && late ? { kind: 'dead', death: { evidence: {} } } : status;
        },`,
      },
    ],
  },
  {
    name: 'restored_and_not_paused',
    seeds: 1000,
    what: 'A backup is restored, and movements go on at once: what was paid since is paid again.',
    patches: [
      {
        file: 'test/simulation/world/restore.ts',
        find: '    restore.holds = true;\n    still.pausedMs ??= agenda.now();\n',
        replace: '',
      },
    ],
  },
  {
    name: 'resumed_without_reconciling',
    seeds: 1000,
    what: 'After a restore movements are resumed although the backup does not know what was paid since.',
    patches: [
      { file: 'test/simulation/world/restore.ts', find: 'if (unknown !== null) return;', replace: '' },
    ],
  },
  {
    name: 'halted_released_payout_is_started',
    what: 'A sell that people released is paid out while the naira is halted.',
    seeds: 600,
    patches: [
      {
        file: 'src/app/movements/pay-out.ts',
        find: 'if (rail === undefined || isHalted(deps, { mode, asset: NAIRA })) return later;',
        replace:
          'if (rail === undefined || (!transaction.released && isHalted(deps, { mode, asset: NAIRA }))) return later;',
      },
    ],
  },
];
