// Which rail makes a payout. A rail is chosen when the attempt is made and never again: from then on the attempt's own
// rail is looked up by name.
import type { Attempt } from '../../domain/records/movement.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { PayingRail, Rail } from '../../ports/bank/rail.ts';
import type { SettlementDeps } from '../settlement/context.ts';

type Deps = Pick<SettlementDeps, 'banks'>;

/** The preferred rail that pays; undefined: this mode has none. */
export function chooseRail({ banks }: Deps, mode: Mode): PayingRail | undefined {
  return banks.enabled(mode).find(pays);
}

/** The rail an attempt was made on; undefined while it is not configured, or no longer for payouts. */
export function findPayingRail({ banks }: Deps, { mode, rail }: Attempt): PayingRail | undefined {
  const found = banks.find(mode, rail!);
  return found !== undefined && pays(found) ? found : undefined;
}

function pays(rail: Rail): rail is PayingRail {
  return rail.payouts !== null;
}
