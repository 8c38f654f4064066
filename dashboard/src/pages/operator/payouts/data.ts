// The states of payouts in words.
import type { Payout } from '../../../api/console-types.ts';
import type { Tone } from '../../../components/format.ts';

export const STATES = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Waiting' },
  { value: 'sending', label: 'Under way' },
  { value: 'unknown', label: 'Unknown' },
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Failed' },
  { value: 'returned', label: 'Returned' },
] as const satisfies readonly { readonly value: Payout['state'] | ''; readonly label: string }[];

/** What a state means for the naira. */
const MEANS: Readonly<Record<Payout['state'], string>> = {
  pending: 'It has not been given to a bank.',
  sending: 'A bank has it and has not said how it ended.',
  unknown:
    'The bank gives no certain answer. It is asked about all the time, and never paid again before the answer is certain.',
  done: 'The bank has paid it.',
  failed: 'It was not paid, and nothing will be tried again.',
  returned: 'The bank had paid it, and the naira came back.',
};

interface Standing {
  readonly means: string;
  /** Where the state alone does not say it. */
  readonly shown?: { readonly tone: Tone; readonly label: string };
}

/** A payout, or an attempt that a bank has. */
interface Waits {
  readonly state: Payout['state'] | 'accepted';
}

/** How it stands with a payout, as people read it. */
export function standingOf({
  state,
  sure_at: sureAt,
  needs_people: needsPeople,
}: Pick<Payout, 'sure_at' | 'needs_people'> & Waits): Standing {
  if (needsPeople)
    return {
      means:
        'No answer of the bank proves how it ended. It is not paid again before two people have found out.',
      shown: { tone: 'person', label: 'Needs people' },
    };
  if (sureAt !== null)
    return {
      means:
        'The bank refused it. We make sure that it does not pay it after all before anything else is done.',
      shown: { tone: 'progress', label: 'Making sure' },
    };
  return { means: state === 'accepted' ? MEANS.sending : MEANS[state] };
}
