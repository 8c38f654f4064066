// Rates and quotes of a business as the session API answers them.
import { post } from '../../../api/client.ts';
import { useAction, useList, useRead } from '../../../api/query.ts';
import type { BusinessPlace } from '../../../frame/place.ts';
import type { Quote } from './quote.ts';

export interface RateNow {
  readonly currency: string;
  readonly rate: string;
  /** Null: a sample of test mode, which has no end. */
  readonly valid_until: string | null;
}

export interface ProductRates {
  readonly product: string;
  readonly served: boolean;
  readonly missing: readonly { readonly currency: string; readonly why: string }[];
  /** When they were last others than now. */
  readonly changed_at: string | null;
  readonly sample: boolean;
  readonly rates: readonly RateNow[];
}

const EVERY_MS = 10_000;

export function useRatesNow({ api, mode }: BusinessPlace) {
  return useRead<{ readonly tier: string; readonly products: readonly ProductRates[] }>(
    `${api}/rates/${mode}`,
    { everyMs: EVERY_MS },
  );
}

export const quotesPath = ({ api, mode }: BusinessPlace) => `${api}/quotes/${mode}`;

export function useQuotes(place: BusinessPlace, state: string) {
  return useList<Quote>(`${quotesPath(place)}${state === '' ? '' : `?state=${state}`}`, 'quotes');
}

/** `id` empty: none. */
export function useQuote(place: BusinessPlace, id: string) {
  return useRead<{ readonly quote: Quote }>(
    id === '' ? null : `${quotesPath(place)}/${encodeURIComponent(id)}`,
  );
}

export interface Wanted {
  readonly side: 'buy' | 'sell';
  readonly amount: string;
  readonly currency: string;
  readonly network: string;
}

function bodyOf({ side, amount, currency, network }: Wanted): object {
  return {
    ...{ side, amount: amount.replaceAll(',', '').trim(), currency },
    ...(network !== '' && { network }),
  };
}

interface Asked {
  readonly wanted: Wanted;
  readonly headers: Readonly<Record<string, string>>;
}

export function useMakeQuote(place: BusinessPlace, onDone: (quote: Quote) => void) {
  const path = quotesPath(place);
  return useAction(
    ({ wanted, headers }: Asked) => post<{ readonly quote: Quote }>(path, bodyOf(wanted), headers),
    { refreshes: [path], onDone: ({ quote }) => onDone(quote), quiet: true },
  );
}
