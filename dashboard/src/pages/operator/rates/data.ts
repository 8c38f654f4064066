// What operators read and change about the rates of one mode.
import { post, put } from '../../../api/calls.ts';
import type { SetRatesAnswer, SetRatesBody, SetSpreadBody } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../frame/place.ts';
import type { RateQuery } from '../../rates/ranges.ts';
import type { Currency, Product } from '../../rates/words.ts';

const RATES = '/operator/rates';
/** The book shows how long its values hold, so it is read again although nothing was changed. */
const EVERY_MS = 5_000;

export const useRates = (mode: Mode) =>
  useRead('/operator/rates/{mode}', { params: { mode }, everyMs: EVERY_MS });
export const useSources = (mode: Mode) =>
  useRead('/operator/rates/{mode}/sources', { params: { mode }, everyMs: EVERY_MS });
export const useSpreads = (mode: Mode) => useRead('/operator/rates/{mode}/spreads', { params: { mode } });
export const useDecisions = (mode: Mode, product: string) =>
  useRead('/operator/rates/{mode}/{product}/decisions', { params: { mode, product } });
export const useDeskPrices = (mode: Mode, product: string) =>
  useRead('/operator/rates/{mode}/{product}/desk-prices', { params: { mode, product } });

export const useRateHistory = (mode: Mode, product: string, query: RateQuery) =>
  useRead('/operator/rates/{mode}/{product}/history', {
    params: { mode, product },
    query,
    keepPrevious: true,
  });

const PROPOSED = 'Proposed. It takes effect when another person approves it under Proposals.';

/** What a change makes old, and what is said about it. */
function about(done: string, onDone: () => void) {
  return {
    refreshes: [RATES, '/operator/proposals'],
    done: (answer: SetRatesAnswer) => (answer.done ? done : PROPOSED),
    onDone,
    quiet: true,
  };
}

export function useSetPrices(mode: Mode, product: string, onDone: () => void) {
  return useAction(
    (body: SetRatesBody) => put('/operator/rates/{mode}/{product}', { params: { mode, product }, body }),
    about('The desk prices are set. The book follows in a moment.', onDone),
  );
}

export function useWithdrawPrices(mode: Mode, product: string, onDone: () => void) {
  return useAction(
    (currencies: readonly Currency[]) =>
      post('/operator/rates/{mode}/{product}/withdraw', { params: { mode, product }, body: { currencies } }),
    about('The desk price has ended. The book follows in a moment.', onDone),
  );
}

export type Prices = SetRatesBody['prices'];

/** Whether prices take a second person, by the rule of the service. Null: nothing is asked yet. */
export function useJudged(mode: Mode, product: string, prices: Prices | null) {
  return useRead('/operator/rates/{mode}/{product}/judged', {
    params: { mode, product },
    query: prices ?? {},
    when: prices !== null,
    keepPrevious: true,
  });
}

export type NewSpread = Omit<SetSpreadBody, 'mode' | 'product'>;

export function useSetSpread(mode: Mode, product: Product, onDone: () => void) {
  return useAction(
    (given: NewSpread) => put('/operator/spreads', { body: { mode, product, ...given } }),
    about('The spread is set. It holds from now on.', onDone),
  );
}
