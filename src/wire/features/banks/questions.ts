// Rails that ask before they pay: the route, and the alert when the answer is no.
import { makePayoutApprovals } from '../../../adapters/postgres/rails/payout-approvals.ts';
import { addValidationRoutes } from '../../../http/routes/rails/validation.ts';
import type { Feature, ServiceParts } from '../../feature.ts';
import { makeRarely } from '../../say-rarely.ts';

export function railQuestionsFeature(parts: ServiceParts): Feature {
  const { bankRails: banks, database, audit, clock, catalogue, guards, log, metrics } = parts;
  const rejected = metrics.counter(
    'sliproad_rail_questions_rejected_total',
    'Questions of rails before they pay that were answered with no: another party may hold their key.',
  );
  const forged = metrics.counter(
    'sliproad_rail_questions_forged_total',
    'Requests that look like questions of rails, and are not proven to come from them.',
  );
  const rarely = makeRarely();
  const deps = {
    ...{
      banks,
      audit,
      clock,
      approvals: makePayoutApprovals(database),
      catalogue: () => catalogue.current(),
      isUnwatched: guards.isUnwatched,
    },
    onRejected: (detail: object) => {
      rejected(1);
      log.error(detail, 'a rail asks about a payout that may not be paid: its key may be stolen');
    },
    onPaused: (detail: object) => log.warn(detail, 'a rail asks about a payout while payouts are stopped'),
    onForged: (detail: { readonly place?: unknown }) => {
      forged(1);
      if (rarely(String(detail.place)))
        log.error(detail, 'a question of a rail is not proven to come from it, and is refused');
    },
  };
  return {
    routes: [{ server: 'main', add: (app, { publicly }) => addValidationRoutes(app, { ...deps, publicly }) }],
  };
}
