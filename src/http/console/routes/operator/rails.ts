// The rails of one mode for the operator: whether each rail gets payouts, its success rate, its balance in the ledger and at
// the bank, the routing table, and open proposals. Operators change rails as settings (rail-settings.ts).
import { Type } from 'typebox';
import { readRails, readRoutes } from '../../../../app/rails/read-rails.ts';
import { needsTwoPeople } from '../../../../domain/people/people-needed.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import {
  proposalShape,
  railShape,
  renderRail,
  renderRailProposal,
  renderRoute,
  routeShape,
} from '../../../../renderings/rails.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';

export const railRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      tag: 'Rails',
      method: 'GET',
      path: '/rails/:mode',
      name: 'listRails',
      summary:
        'List the rails of one mode with their health and balances, the routing table, and open proposals',
      answer: {
        rails: Type.Array(railShape),
        routes: Type.Array(routeShape),
        proposals: Type.Array(proposalShape),
        needs_two: Type.Boolean({ description: 'Whether a change other than a pause needs two people.' }),
      },
      refusals: ['not_found'],
    },
    async ({ params: { mode = '' } }, deps) => {
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      const [rails, routes, open] = await Promise.all([
        readRails(deps, mode),
        readRoutes(deps, mode),
        deps.settingDesk.listOpenProposals(mode),
      ]);
      const proposals = open.filter(({ request }) => request.setting.startsWith('rail_'));
      const actors = rails.flatMap(({ pauses }) => pauses.map((each) => each.actor));
      const names = await deps.proposalDesk.namesOf([
        ...actors,
        ...proposals.map(({ proposedBy }) => proposedBy),
      ]);
      return ok({
        rails: rails.map((each) => renderRail(each, names, deps.banks)),
        routes: routes.map((each) => renderRoute(each, deps.banks)),
        proposals: proposals.map((each) => renderRailProposal(each, names)),
        needs_two: needsTwoPeople('rail_route_set', mode),
      });
    },
  ),
];
