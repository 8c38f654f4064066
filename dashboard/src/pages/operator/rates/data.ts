// The reads and changes of the rates of one mode, for operators.
import type { SetRatesBody } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import type { Mode } from '../../../layout/location.ts';
import type { RateQuery } from '../../rates/words.ts';
import { doneOrProposed } from '../rules.tsx';

/** The book shows how long its values stay valid, so it is refreshed even if nothing has changed. */
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

/** The options of every change of rates: the reads that become stale, and the message. */
export const changeOf = (done: string) => ({
  refreshes: ['/operator/rates', '/operator/proposals'],
  done: doneOrProposed(done),
});

export type Prices = SetRatesBody['prices'];

/** Whether the service requires a second person for these prices. Null: not checked yet. */
export function usePriceCheck(mode: Mode, product: string, prices: Prices | null) {
  return useRead('/operator/rates/{mode}/{product}/judged', {
    params: { mode, product },
    query: prices ?? {},
    enabled: prices !== null,
    keepPrevious: true,
  });
}
