// The vendors of one mode for the operator. Operators change vendors as settings (settings.ts).
import { Type } from 'typebox';
import { showVendors } from '../../../../app/back-office/show-vendors.ts';
import { needsTwoPeople } from '../../../../domain/people/people-needed.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import {
  renderVendor,
  renderVendorProposal,
  vendorProposal,
  vendorShape,
} from '../../../../renderings/vendors.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';

export const vendorRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      tag: 'Treasury',
      method: 'GET',
      path: '/vendors/:mode',
      name: 'listVendorsAsOperator',
      summary:
        'List the vendor accounts of one mode with their credit source, the expected money and their proposals',
      answer: {
        vendors: Type.Array(vendorShape),
        additions: Type.Array(vendorProposal),
        sources: Type.Array(Type.String(), {
          description: 'The possible credit sources of an account: statements, or a rail of this mode.',
        }),
        needs_two: Type.Boolean({
          description: 'Whether two people must approve a new, renamed or enabled account, or a new source.',
        }),
      },
      refusals: ['not_found'],
    },
    async ({ params: { mode = '' } }, deps) => {
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      const shown = await showVendors(deps, mode);
      return ok({
        vendors: shown.vendors.map(renderVendor),
        additions: shown.additions.map(renderVendorProposal),
        sources: shown.sources,
        needs_two: needsTwoPeople('vendor_added', mode),
      });
    },
  ),
];
