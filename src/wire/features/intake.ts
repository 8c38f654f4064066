// Transactions as businesses make and read them over HTTP.
import type { SubmissionDeps } from '../../app/intake/submission.ts';
import { addTransactionRoutes } from '../../http/routes/transactions.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function intakeFeature(parts: ServiceParts): Feature {
  const { store, networks, clock } = parts;
  const deps = { ...submissionDeps(parts), store, networks, clock };
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => addTransactionRoutes(app, { ...deps, authenticate }),
      },
    ],
  };
}

export function submissionDeps({
  store,
  banks,
  networks,
  rails,
  clock,
  entropy,
  signals,
  config,
}: ServiceParts): { readonly buy: SubmissionDeps; readonly sell: SubmissionDeps } {
  const common = { store, banks, networks, rails, clock, entropy, accepted: signals.accepted };
  return {
    buy: { ...common, bounds: config.buyBounds, expiryMs: config.buyExpiryMs },
    sell: { ...common, bounds: config.sellBounds, expiryMs: config.depositExpiryMs },
  };
}
