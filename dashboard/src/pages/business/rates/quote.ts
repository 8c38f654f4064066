// A quote as the session API answers it, and its state as a page shows it: the service decides by its own clock, the page follows the
// countdown until it reads again.
import type { Tone } from '../../../parts/tone.ts';

export interface Quote {
  readonly quote_id: string;
  readonly side: 'buy' | 'sell';
  readonly amount: string;
  readonly currency: string;
  readonly network: string | null;
  readonly naira_amount: string;
  readonly fees: readonly { readonly name: string; readonly amount: string }[];
  readonly net_amount: string;
  readonly rate: string;
  readonly sources: readonly { readonly name: string; readonly rate: string; readonly as_of: string }[];
  readonly decision_id: string | null;
  readonly state: 'open' | 'used' | 'expired';
  readonly transaction_id: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

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
