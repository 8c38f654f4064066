// The fee offered per operation. A ledger that is not full charges the minimum, no matter how much is offered. A full ledger
// includes the highest offers. So the offer follows the fees of recent ledgers, up to the limit in the settings.
import type { StellarSettings } from '../../settings/settings.ts';
import { fieldsOf, wholeOf } from '../horizon/fields.ts';
import type { Horizon } from '../horizon/horizon.ts';

/** The factor by which the offer exceeds the recent market fee: the market may continue to rise. */
const ABOVE_MARKET = 2n;
/** A server replaces a waiting transaction with a fee bump only if the fee is ten times as high. */
const ABOVE_WAITING = 10n;

/** The 80th percentile of the fees per operation in the last ledgers. */
export async function loadMarketFee(horizon: Horizon): Promise<bigint> {
  const statistics = await horizon.need('/fee_stats');
  return wholeOf(fieldsOf(statistics.fee_charged, 'fee_charged'), 'p80');
}

type FeeBounds = Pick<StellarSettings, 'feePerOperation' | 'maxFeePerOperation'>;

export function firstBid({ feePerOperation, maxFeePerOperation }: FeeBounds, marketMinor: bigint): bigint {
  const wanted = marketMinor > feePerOperation ? marketMinor * ABOVE_MARKET : feePerOperation;
  return wanted < maxFeePerOperation ? wanted : maxFeePerOperation;
}

/** The next fee for a payment whose fee was too low; undefined if the fee was high enough or the limit is reached. */
export function nextBid(
  { maxFeePerOperation }: FeeBounds,
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
