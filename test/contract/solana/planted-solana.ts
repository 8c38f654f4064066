// Mistakes that the Solana adapter could have, in the style of a rule that once paid twice. The contract has to go red for
// each of them.
import type { Bug, Patch } from '../../simulation/planted/plant.ts';

const PROOF = 'src/adapters/networks/solana/pay/proof.ts';
const SENDING = 'src/adapters/networks/solana/pay/sending.ts';
const OUTFLOWS = 'src/adapters/networks/solana/observe/outflows.ts';

const withoutWitnesses: Patch = {
  file: PROOF,
  find: 'if (!knowsBoth(answer, witnesses))',
  replace: 'if (answer.found.length === 0)',
};
const slotCheck = (replace: string): Patch => ({
  file: PROOF,
  find: 'if (answer.slot < passed.slot)',
  replace,
});
const observedAt = (replace: string): Patch => ({
  file: PROOF,
  find: 'observedAt: answer.slot,',
  replace: `observedAt: ${replace},`,
});

/** `by`: which cases have to catch it. Those about lags must do so by themselves. */
export interface SolanaBug extends Bug {
  readonly by: 'lags' | 'others';
}

export const SOLANA_BUGS: readonly SolanaBug[] = [
  {
    name: 'slot_dropped',
    by: 'lags',
    what: 'No status is taken for a proof, whatever slot the answer names.',
    patches: [withoutWitnesses, slotCheck('if (answer.slot < 0n)'), observedAt('passed.slot')],
  },
  {
    name: 'slot_dropped_and_one_provider_enough',
    by: 'lags',
    what: 'The same, and the first provider that says so is believed.',
    patches: [
      withoutWitnesses,
      slotCheck('if (answer.slot < 0n)'),
      observedAt('passed.slot'),
      {
        file: SENDING,
        find: "if (word.kind !== 'doubtful')",
        replace:
          "if (word.kind === 'expired') return ended(prepared, [word]);\n    if (word.kind !== 'doubtful')",
      },
      { file: SENDING, find: '      providers.count,\n', replace: '      1,\n' },
    ],
  },
  {
    name: 'slot_compared_with_height',
    by: 'lags',
    what: 'The slot of the answer is compared with a height, which is a smaller number.',
    patches: [
      withoutWitnesses,
      slotCheck('if (answer.slot < passed.height)'),
      { file: PROOF, find: 'impossibleFrom: passed.slot', replace: 'impossibleFrom: passed.height' },
    ],
  },
  {
    name: 'fixed_margin',
    by: 'lags',
    what: 'An answer of a server that is not far behind is believed.',
    patches: [
      withoutWitnesses,
      slotCheck('if (answer.slot + 400n < passed.slot)'),
      observedAt('answer.slot + 400n'),
    ],
  },
  {
    name: 'witnesses_ignored',
    by: 'others',
    what: 'A server that does not know the blocks of that time is believed for its new slot.',
    patches: [withoutWitnesses],
  },
  {
    name: 'empty_by_word',
    by: 'others',
    what: 'A deposit address is empty because providers said so when the sweep was signed.',
    patches: [
      {
        file: PROOF,
        find: 'isLook(place) && !showsEmpty(chain, place, landed)',
        replace: 'isLook(place) && false',
      },
    ],
  },
  {
    name: 'gaps_ignored',
    by: 'others',
    what: 'A list of transactions is taken for complete, whatever the accounts held in between.',
    patches: [
      {
        file: 'src/adapters/networks/solana/observe/deposits.ts',
        find: '{ gaps: gaps.policy(account) }',
        replace: "{ gaps: 'ignore' }",
      },
    ],
  },
  {
    name: 'outflows_of_one_provider',
    by: 'others',
    what: 'What left the treasury is asked of one provider.',
    patches: [
      {
        file: OUTFLOWS,
        find: 'await providers.every((client, provider) => view(client, provider, from))',
        replace: '[await providers.one((client, provider) => view(client, provider, from))]',
      },
    ],
  },
  {
    name: 'outflows_once_final',
    by: 'others',
    what: 'What left the treasury is shown only once it is final.',
    patches: [
      {
        file: OUTFLOWS,
        find: 'listed.filter((each) => each.slot > slot)',
        replace: 'listed.filter((each) => each.final && each.slot > slot)',
      },
    ],
  },
];
