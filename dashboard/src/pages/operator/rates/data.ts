// Reads and changes the rates of one mode, for operators.
import type { SetRatesBody } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../layout/location.ts';
import type { RateQuery } from '../../rates/words.ts';
import { doneOrProposed } from '../rules.tsx';

/** The rate book shows how long its values remain valid. Therefore the page refreshes it even if no value has changed. */
const EVERY_MS = 5_000;

export const useRates = (mode: Mode) =>
  useRead('/operator/rates/{mode}', { params: { mode }, refetchMs: EVERY_MS });
export const useSources = (mode: Mode) =>
  useRead('/operator/rates/{mode}/sources', { params: { mode }, refetchMs: EVERY_MS });
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

export const changeOf = (done: string) => ({
  refreshes: ['/operator/rates', '/operator/proposals'],
  done: doneOrProposed(done),
});

export type Prices = SetRatesBody['prices'];

/** Whether the service requires a second person for these prices. Null means that the service has not checked them yet. */
export function usePriceCheck(mode: Mode, product: string, prices: Prices | null) {
  return useRead('/operator/rates/{mode}/{product}/judged', {
    params: { mode, product },
    query: prices ?? {},
    enabled: prices !== null,
    keepPrevious: true,
  });
}
