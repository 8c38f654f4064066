// Rates and quotes of a business: what the page reads, and how a quote is made.
import { pathTo, post } from '../../../api/calls.ts';
import type { MakeBusinessQuoteBody, Quote } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useList, useRead } from '../../../api/reads.ts';
import type { BusinessLocation } from '../../../layout/location.ts';
import type { RateQuery } from '../../rates/words.ts';

const EVERY_MS = 10_000;

export function useRatesNow({ params }: BusinessLocation) {
  return useRead('/businesses/{business_id}/rates/{mode}', { params, refetchMs: EVERY_MS });
}

export function useRateHistory({ params }: BusinessLocation, product: string, query: RateQuery) {
  return useRead('/businesses/{business_id}/rates/{mode}/{product}/history', {
    params: { ...params, product },
    query,
    keepPrevious: true,
  });
}

const QUOTES = '/businesses/{business_id}/quotes/{mode}';

export const quotesPath = ({ params }: BusinessLocation) => pathTo(QUOTES, { params });

/** `state` undefined: all of them. */
export function useQuotes({ params }: BusinessLocation, state: Quote['state'] | undefined) {
  return useList(QUOTES, 'quotes', { params, query: { state } });
}

/** `id` empty: none. */
export function useQuote({ params }: BusinessLocation, id: string) {
  return useRead(`${QUOTES}/{quote_id}`, { params: { ...params, quote_id: id }, enabled: id !== '' });
}

/** Every field of the form; an empty network is any. */
export type QuoteFields = {
  readonly [Name in keyof MakeBusinessQuoteBody]-?: NonNullable<MakeBusinessQuoteBody[Name]>;
};

function bodyOf({ side, amount, currency, network }: QuoteFields): MakeBusinessQuoteBody {
  return {
    ...{ side, amount: amount.replaceAll(',', '').trim(), currency },
    ...(network !== '' && { network }),
  };
}

interface QuoteRequest {
  readonly wanted: QuoteFields;
  readonly headers: Readonly<Record<string, string>>;
}

export function useMakeQuote(location: BusinessLocation, onDone: (quote: Quote) => void) {
  const { params } = location;
  return useAction(
    ({ wanted, headers }: QuoteRequest) => post(QUOTES, { params, body: bodyOf(wanted), headers }),
    {
      refreshes: [quotesPath(location)],
      onDone: ({ quote }) => onDone(quote),
      quiet: true,
    },
  );
}
