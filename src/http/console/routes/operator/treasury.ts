// The treasuries of one mode, and the withdrawals from them. Token amounts are texts in whole tokens with all decimals of the
// network. A provider is shown by its name, never by its URL, which may contain a key.
import { Type } from 'typebox';
import { showTreasuries } from '../../../../app/treasury/show-treasuries.ts';
import { isMode } from '../../../../domain/values/mode.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import {
  disabledNetworkShape,
  renderDisabledNetwork,
  renderSend,
  renderTreasury,
  sendShape,
  treasuryShape,
} from '../../../../renderings/treasury.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';

export const treasuryRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'several',
    {
      tag: 'Treasury',
      method: 'GET',
      path: '/treasury/:mode',
      name: 'getTreasuries',
      summary: 'Read the treasuries of one mode, their providers and last sends, and the last withdrawals',
      answer: {
        treasuries: Type.Array(treasuryShape),
        disabled: Type.Array(disabledNetworkShape),
        withdrawals: Type.Array(sendShape),
      },
      refusals: ['not_found'],
    },
    async ({ params: { mode = '' } }, deps) => {
      if (!isMode(mode)) return fail(NO_SUCH_RECORD);
      const shown = await showTreasuries(deps, mode);
      return ok({
        treasuries: shown.treasuries.map((each) => renderTreasury(mode, each, deps.networks)),
        disabled: shown.disabled.map(renderDisabledNetwork),
        withdrawals: shown.withdrawals.map((each) => renderSend(each, deps.networks)),
      });
    },
  ),
];
