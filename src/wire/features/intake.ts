// Opens the routes over which businesses create and read transactions.
import { makeClaimLimit } from '../../app/intake/claim-limit.ts';
import type { DetailDeps } from '../../app/intake/read-details.ts';
import type { SubmissionDeps } from '../../app/intake/submission.ts';
import { addBankRoutes } from '../../http/routes/banks.ts';
import { addTransactionRoutes } from '../../http/routes/transactions.ts';
import { addVendorRoutes } from '../../http/routes/vendors.ts';
import type { Feature, ServiceParts } from '../feature.ts';

export function intakeFeature(parts: ServiceParts): Feature {
  const { store, networks, clock, banks, details } = parts;
  const deps = { ...makeSubmissionDeps(parts), store, networks, clock, banks, details };
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => addTransactionRoutes(app, { ...deps, authenticate }),
      },
    ],
  };
}

type SubmissionRouteDeps = SubmissionDeps & DetailDeps;

export function makeSubmissionDeps({
  store,
  quotes,
  banks,
  networks,
  rails,
  clock,
  entropy,
  signals,
  config,
  details,
  claimLimits,
  onError,
}: ServiceParts): { readonly buy: SubmissionRouteDeps; readonly sell: SubmissionRouteDeps } {
  const common = {
    store,
    claimLimit: makeClaimLimit({ ...config.unmatchedClaims, claimLimits, clock, onError }),
    quotes,
    banks,
    networks,
    rails,
    clock,
    entropy,
    details,
    accepted: signals.accepted,
  };
  return {
    buy: { ...common, bounds: config.buyBounds, expiryMs: config.buyExpiryMs },
    sell: { ...common, bounds: config.sellBounds, expiryMs: config.depositExpiryMs },
  };
}

export function catalogueFeature({ banks }: ServiceParts): Feature {
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => {
          addVendorRoutes(app, authenticate);
          addBankRoutes(app, authenticate, banks);
        },
      },
    ],
  };
}
