// Quotes: made and read over HTTP, forgotten when they expired unused, and watched.
import { addQuoteRoutes } from '../../http/routes/quotes/quotes.ts';
import { forgetQuotes, watchQuotes } from '../../workers/quotes/keep-quotes.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function quotesFeature(parts: ServiceParts): Feature {
  const deps = quotingDeps(parts);
  return {
    routes: [
      { server: 'main', add: (app, { authenticate }) => addQuoteRoutes(app, { ...deps, authenticate }) },
    ],
    loops: [forgetQuotes(parts), watchQuotes(parts, parts.metrics, deps.limits)],
  };
}

export function quotingDeps({ quotes, rateBoard, networks, clock, entropy, config }: ServiceParts) {
  return {
    ...{ quotes, board: rateBoard, networks, clock, entropy },
    bounds: { buy: config.buyBounds, sell: config.sellBounds },
    validForMs: config.quoteValidMs,
    limits: config.quoteLimits,
  };
}
