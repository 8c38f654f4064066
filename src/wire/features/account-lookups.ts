// Looks up bank accounts at banks: after the service accepts a sell, and when a business requests a lookup. It also records
// Travel-Rule data.
import { makeQuestionTurns } from '../../adapters/postgres/account-lookups.ts';
import { makeOwnerCache } from '../../app/account-lookups/look-up-account.ts';
import { addBankAccountRoutes } from '../../http/routes/bank-accounts.ts';
import { startSellAccountLookups } from '../../workers/look-up-sell-accounts.ts';
import { startTravelRuleRecording } from '../../workers/record-travel-rule-legs.ts';
import type { Feature, ServiceParts } from '../feature.ts';

/** One burst may use a third of the lookups that are allowed per minute. */
const BURST_SHARE = 3;

export function accountLookupsFeature(parts: ServiceParts): Feature {
  const { config, database, people, bankRails: rails, signals, onError, travelRule } = parts;
  const perMinute = config.accountQuestionsPerMinute;
  const asking = startSellAccountLookups({ ...parts, banks: rails }, config.settleLeaseMs, onError);
  signals.listen({ accepted: ({ type }) => type === 'sell' && asking.wake() });
  const recording = startTravelRuleRecording(
    { ...parts, box: people.box, travelRule, minimumMinor: config.travelRuleMinimumMinor },
    onError,
  );
  const deps = {
    ...{ rails, directory: parts.banks, audit: parts.audit, clock: parts.clock },
    turns: makeQuestionTurns(database),
    memory: makeOwnerCache(),
    limit: { everyMs: Math.round(60_000 / perMinute), burst: Math.ceil(perMinute / BURST_SHARE) },
  };
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => addBankAccountRoutes(app, { ...deps, authenticate }),
      },
    ],
    loops: [asking, recording],
  };
}
