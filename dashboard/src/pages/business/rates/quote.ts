// The state of a quote as a page shows it: the service decides by its own clock, the page follows the countdown until it reads again.
import type { Quote } from '../../../api/console-types.ts';
import type { Tone } from '../../../parts/format.ts';

export const TONES: Readonly<Record<Quote['state'], Tone>> = {
  open: 'progress',
  used: 'completed',
  expired: 'waiting',
};

export function stateAt(
  { state, expires_at: expires }: Pick<Quote, 'state' | 'expires_at'>,
  nowMs: number,
): Quote['state'] {
  return state === 'open' && Date.parse(expires) <= nowMs ? 'expired' : state;
}
