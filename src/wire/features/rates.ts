// Opens the rates: the service reads rate sources, decides rate books, and serves the current rates from memory on both ports.
import { addQuoteRoutes } from '../../http/routes/quotes.ts';
import { addOtcRateRoute, addRateRoutes } from '../../http/routes/rates.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import { startForgettingQuotes, startQuoteWatch } from '../../workers/quote-upkeep.ts';
import { startDecidingRates } from '../../workers/rates/decide-rates.ts';
import { startReadingSources } from '../../workers/rates/read-sources.ts';
import { startKeepingRateHistory, startRateWatch } from '../../workers/rates/watch-rates.ts';
import type { Feature, ServiceParts } from '../feature.ts';

/** Rate decisions depend on these tables. The service applies new spreads without a new decision. */
const DECIDING_TABLES: ReadonlySet<string> = new Set(['desk_prices', 'rate_readings']);

export function ratesFeature(parts: ServiceParts): Feature {
  const { rateStore, ratePlan, rateBoard, clock, entropy, log, metrics, urls } = parts;
  const onError = (error: Error) => {
    if (error instanceof StoreUnavailable) log.debug({ why: error.message }, 'rates wait for the database');
    else log.error({ err: error }, 'rates');
  };
  const deciding = startDecidingRates({ rateStore, ratePlan, rateBoard, clock, entropy, onError });
  rateBoard.onChange(({ table, book }) => {
    if (DECIDING_TABLES.has(table)) deciding.wake(book);
  });
  const watching = {
    ...{ rateStore, ratePlan, rateBoard, clock, instruments: metrics, onError },
    onLost: (message: string, detail: object) => log.error(detail, message),
    onRegained: (message: string, detail: object) => log.info(detail, message),
  };
  const reading = startReadingSources({
    ...{ rateStore, sources: ratePlan.sources, clock, onError },
    onFailure: (source, { code, message }, failures) =>
      log.warn({ source, code, why: message, failures }, 'a source of rates did not answer'),
  });
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => addRateRoutes(app, { authenticate, rateBoard, rateStore, clock }),
      },
      {
        server: 'otc',
        add: (app, { authenticate }) => addOtcRateRoute(app, { authenticate, rateBoard, clock }, urls.otc),
      },
    ],
    loops: [deciding, reading, startRateWatch(watching), startKeepingRateHistory(watching)],
  };
}

export function quotesFeature(parts: ServiceParts): Feature {
  const deps = makeQuoteDeps(parts);
  return {
    routes: [
      { server: 'main', add: (app, { authenticate }) => addQuoteRoutes(app, { ...deps, authenticate }) },
    ],
    loops: [startForgettingQuotes(parts), startQuoteWatch(parts, parts.metrics, deps.limits)],
  };
}

export function makeQuoteDeps({ quotes, rateBoard, networks, clock, entropy, config }: ServiceParts) {
  return {
    ...{ quotes, board: rateBoard, networks, clock, entropy },
    bounds: { buy: config.buyBounds, sell: config.sellBounds },
    validForMs: config.quoteValidMs,
    limits: config.quoteLimits,
  };
}
