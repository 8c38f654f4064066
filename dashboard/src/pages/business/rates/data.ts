// Reads the rates and quotes of a business, and creates a quote.
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

/** If `state` is undefined, the list contains quotes in all states. */
export function useQuotes({ params }: BusinessLocation, state: Quote['state'] | undefined) {
  return useList(QUOTES, 'quotes', { params, query: { state } });
}

/** If `id` is empty, no quote is read. */
export function useQuote({ params }: BusinessLocation, id: string) {
  return useRead(`${QUOTES}/{quote_id}`, { params: { ...params, quote_id: id }, enabled: id !== '' });
}

/** An empty network means that the quote is for any network. */
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
