// What is offered for an operation. A ledger that is not full takes the least, whatever is offered; one that is full takes
// those who offer most. So the offer follows what got in lately, up to what the settings allow.
import type { StellarSettings } from '../../settings/settings.ts';
import { fieldsOf, wholeOf } from '../horizon/fields.ts';
import type { Horizon } from '../horizon/horizon.ts';

/** More than most of those paid who got in: it may go on rising. */
const ABOVE_MARKET = 2n;
/** A server lets a fee bump take the place of what waits only for ten times as much. */
const ABOVE_WAITING = 10n;

/** What most of those paid for an operation who got into the last ledgers. */
export async function loadMarket(horizon: Horizon): Promise<bigint> {
  const statistics = await horizon.need('/fee_stats');
  return wholeOf(fieldsOf(statistics.fee_charged, 'fee_charged'), 'p80');
}

type Bounds = Pick<StellarSettings, 'feePerOperation' | 'maxFeePerOperation'>;

export function firstBid({ feePerOperation, maxFeePerOperation }: Bounds, marketMinor: bigint): bigint {
  const wanted = marketMinor > feePerOperation ? marketMinor * ABOVE_MARKET : feePerOperation;
  return wanted < maxFeePerOperation ? wanted : maxFeePerOperation;
}

/** For what offered too little; undefined: it did not, or there is no more to offer. */
export function nextBid(
  { maxFeePerOperation }: Bounds,
  bidMinor: bigint,
  marketMinor: bigint,
): bigint | undefined {
  if (marketMinor <= bidMinor) return undefined;
  const least = bidMinor * ABOVE_WAITING;
  if (least > maxFeePerOperation) return undefined;
  const wanted = marketMinor * ABOVE_MARKET;
  if (wanted <= least) return least;
  return wanted < maxFeePerOperation ? wanted : maxFeePerOperation;
}
