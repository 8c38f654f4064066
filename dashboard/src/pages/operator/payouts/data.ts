// The texts for the states of payouts.
import type { Payout } from '../../../api/console-types.ts';
import type { Tone } from '../../../components/format.ts';

export const STATES = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Waiting' },
  { value: 'sending', label: 'In progress' },
  { value: 'unknown', label: 'Unknown' },
  { value: 'done', label: 'Done' },
  { value: 'failed', label: 'Failed' },
  { value: 'returned', label: 'Returned' },
] as const satisfies readonly { readonly value: Payout['state'] | ''; readonly label: string }[];

const MEANS: Readonly<Record<Payout['state'], string>> = {
  pending: 'Not yet sent to a bank.',
  sending: 'With a bank; no outcome yet.',
  unknown:
    'The bank has not confirmed the outcome. We keep asking, and never pay again before the outcome is certain.',
  done: 'The bank has paid.',
  failed: 'Not paid; no further attempts.',
  returned: 'Paid by the bank, then returned.',
};

interface PayoutStatus {
  readonly means: string;
  readonly shown?: { readonly tone: Tone; readonly label: string };
}

interface Waits {
  readonly state: Payout['state'] | 'accepted';
}

export function payoutStatus({
  state,
  sure_at: sureAt,
  needs_people: needsPeople,
}: Pick<Payout, 'sure_at' | 'needs_people'> & Waits): PayoutStatus {
  if (needsPeople)
    return {
      means:
        'No bank response proves the outcome. It is not paid again until two people have established it.',
      shown: { tone: 'person', label: 'Needs review' },
    };
  if (sureAt !== null)
    return {
      means: 'The bank refused it. We confirm the refusal before doing anything else.',
      shown: { tone: 'progress', label: 'Confirming refusal' },
    };
  return { means: state === 'accepted' ? MEANS.sending : MEANS[state] };
}
