// Mistakes about the books and the commits they are written in.
import type { Bug } from './plant.ts';

const LEDGER = 'src/domain/ledger/ledger.ts';
const STEPS = 'src/domain/movements/steps.ts';
const BROADCAST = 'src/app/movements/broadcast.ts';

export const LEDGER_BUGS: readonly Bug[] = [
  {
    name: 'books_in_second_commit',
    what: 'The state of a movement and its entries are written in two commits, one after the other.',
    patches: [
      {
        file: BROADCAST,
        find: '  const outcomes = await deps.store.commit(changes);\n',
        replace: `  const outcomes = await deps.store.commit(changes.map((change) => ({ ...change, entries: [] })));
  await deps.store.commit(changes.filter((_, index) => outcomes[index]!.kind === 'committed').map(
    ({ atMs, entries }) => ({ atMs, entries: entries ?? [] }),
  ));
`,
      },
    ],
  },
  {
    name: 'confirmed_naira_not_posted',
    what: 'When tokens arrived, only the tokens are posted and not their naira.',
    patches: [
      {
        file: LEDGER,
        find: "tokens_confirmed: [token('out', 'sent'), naira('in_flight', 'delivered')],",
        replace: "tokens_confirmed: [token('out', 'sent')],",
      },
    ],
  },
  {
    name: 'payout_fee_not_posted',
    what: 'The fee of a sell is kept and not posted.',
    patches: [
      {
        file: LEDGER,
        find: "payout_paid: [naira('payouts_due', 'bank_reserved'), naira('payouts_due', 'fees', 'fee')],",
        replace: "payout_paid: [naira('payouts_due', 'bank_reserved')],",
      },
    ],
  },
  {
    name: 'buy_fee_not_posted',
    what: 'The fee of a buy is kept and not posted.',
    patches: [
      {
        file: 'src/app/movements/send-tokens.ts',
        find: `    entries: [
      ...stepEntries(movement, 'reserve'),
      entryOf('fee_taken', { ...of, amounts: { amount: transaction.feeMinor } }),
    ],`,
        replace: "    entries: stepEntries(movement, 'reserve'),",
      },
    ],
  },
  {
    name: 'bank_charge_not_posted',
    what: 'What the bank charges for a payout is not posted.',
    patches: [
      {
        file: STEPS,
        find: '      ...chargeEntries(movement, costs.chargeMinor),\n',
        replace: '',
      },
    ],
  },
  {
    name: 'reservation_not_released',
    what: 'What was set aside for a movement that was given up stays set aside.',
    patches: [
      {
        file: STEPS,
        find: '    ...releaseEntries(movement, feeMinor),\n',
        replace: '',
      },
    ],
  },
  {
    name: 'dead_send_still_posted_as_sent',
    what: 'An attempt that died after the network had taken it stays posted as sent.',
    patches: [
      {
        file: STEPS,
        find: "...(sent ? stepEntries(movement, 'unsend') : []), ",
        replace: '',
      },
    ],
  },
  {
    name: 'arrived_without_being_sent',
    what: 'Tokens that arrived before anybody knew that they were sent are not posted as sent.',
    patches: [
      {
        file: STEPS,
        find: "      ...(wasSent(alive) ? [] : stepEntries(movement, 'send')),\n",
        replace: '',
      },
    ],
  },
  {
    name: 'excess_not_set_aside',
    what: 'What was paid too much is refunded without being posted as due.',
    patches: [
      {
        file: 'src/domain/settlement/buy.ts',
        find: "      entryOf('excess_set_aside', { ...of, amounts: { amount: excessMinor } }),\n",
        replace: '',
      },
    ],
  },
  {
    name: 'tokens_back_twice',
    what: 'A failed payout sends home also the tokens that had come too much and went back already.',
    patches: [
      {
        file: 'src/app/settlement/failed-payout.ts',
        find: 'kobo < leftMinor && index < deposits.length - 1 ? kobo : leftMinor',
        replace: 'kobo + backMinor',
      },
    ],
  },
  {
    name: 'failed_payout_keeps_tokens',
    what: 'After a failed payout the tokens are posted as due back, and no refund is made.',
    patches: [
      { file: 'src/app/settlement/failed-payout.ts', find: '    newMovements: movements,\n', replace: '' },
    ],
  },
];
