// What the network took for signed bytes, as the part of one order in them.
import { type NetworkCost, shareOf } from '../../../domain/movements/entries.ts';
import type { Attempt } from '../../../domain/records/movement.ts';
import type { Cost } from '../../../ports/network/pays.ts';

/** This order's part of what its bytes cost. */
export function costOf({ index, orders }: Attempt, cost: Cost | null): NetworkCost | null {
  if (cost === null) return null;
  const own = (amounts: Cost['opened']) =>
    amounts.reduce((sum, each) => (each.index === index ? sum + each.amountMinor : sum), 0n);
  return {
    asset: cost.asset,
    feeMinor: shareOf(cost.feeMinor, index, orders.length),
    openedMinor: own(cost.opened),
    closedMinor: own(cost.closed ?? []),
  };
}
