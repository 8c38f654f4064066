// Mistakes that the Solana adapter could have, in the style of a rule that once paid twice. Each of them must make a case of
// the contract fail.
import { type Bug, within } from '../../simulation/planted/patch.ts';

const word = within('wordOf');
const withoutWitnesses = word.exchange('!knowsBoth(answer, witnesses)', 'answer.found.length === 0');
const slotCheck = (by: string) => word.exchange('answer.slot < passed.slot', by);
const observedAt = (by: string) => word.exchange('observedAt: answer.slot', `observedAt: ${by}`);

/** `by`: which cases have to catch it. Those about lags must do so by themselves. */
export interface SolanaBug extends Bug {
  readonly by: 'lags' | 'others';
}

export const SOLANA_BUGS: readonly SolanaBug[] = [
  {
    name: 'slot_dropped',
    by: 'lags',
    what: 'A missing status counts as a proof, whatever slot the answer names.',
    patches: [withoutWitnesses, slotCheck('answer.slot < 0n'), observedAt('passed.slot')],
  },
  {
    name: 'slot_dropped_and_one_provider_enough',
    by: 'lags',
    what: 'The same, and the answer of one provider is enough.',
    patches: [
      withoutWitnesses,
      slotCheck('answer.slot < 0n'),
      observedAt('passed.slot'),
      within('makeSending', { folder: 'solana' }).before(
        "if (word.kind !== 'doubtful')",
        "if (word.kind === 'expired') return ended(prepared, [word]);",
      ),
      within('makeSending', { folder: 'solana' }).exchange('providers.count', '1'),
    ],
  },
  {
    name: 'slot_compared_with_height',
    by: 'lags',
    what: 'The slot of the answer is compared with a height, which is a smaller number.',
    patches: [
      withoutWitnesses,
      slotCheck('answer.slot < passed.height'),
      word.exchange('impossibleFrom: passed.slot', 'impossibleFrom: passed.height'),
    ],
  },
  {
    name: 'fixed_margin',
    by: 'lags',
    what: 'An answer of a server that is not far behind is believed.',
    patches: [
      withoutWitnesses,
      slotCheck('answer.slot + 400n < passed.slot'),
      observedAt('answer.slot + 400n'),
    ],
  },
  {
    name: 'witnesses_ignored',
    by: 'others',
    what: 'A server that does not know the blocks of that time is believed because its slot is new.',
    patches: [withoutWitnesses],
  },
  {
    name: 'empty_by_word',
    by: 'others',
    what: 'A deposit address counts as empty because providers said so when the sweep was signed.',
    patches: [within('landedWord').exchange('!showsEmpty', '!Boolean')],
  },
  {
    name: 'gaps_ignored',
    by: 'others',
    what: 'A list of transactions counts as complete, whatever the accounts held in between.',
    patches: [within('makeObserve', { folder: 'solana' }).exchange('gaps.policy(account)', "'ignore'")],
  },
  {
    name: 'outflows_of_one_provider',
    by: 'others',
    what: 'Only one provider is asked for outflows of the treasury.',
    patches: [
      within('makeOutflows', { folder: 'solana' }).exchange(
        'await providers.every((client, provider) => view(client, provider, from))',
        '[await providers.one((client, provider) => view(client, provider, from))]',
      ),
    ],
  },
  {
    name: 'outflows_once_final',
    by: 'others',
    what: 'An outflow of the treasury is shown only once it is final.',
    patches: [
      within('listSince', { beside: 'makeOutflows', folder: 'solana' }).exchange(
        'each.slot > slot',
        'each.final && each.slot > slot',
      ),
    ],
  },
];
