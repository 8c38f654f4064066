// The fee offered for an operation. A ledger that is not full charges the minimum, whatever is offered; a full one takes the
// highest offers. So the offer follows the fees that got in lately, up to what the settings allow.
import type { StellarSettings } from '../../settings/settings.ts';
import { fieldsOf, wholeOf } from '../horizon/fields.ts';
import type { Horizon } from '../horizon/horizon.ts';

/** Above what most transactions paid that got in: the fee may go on rising. */
const ABOVE_MARKET = 2n;
/** A server replaces a waiting transaction by a fee bump only for ten times the fee. */
const ABOVE_WAITING = 10n;

/** What most transactions in the last ledgers paid for an operation. */
export async function loadMarketFee(horizon: Horizon): Promise<bigint> {
  const statistics = await horizon.need('/fee_stats');
  return wholeOf(fieldsOf(statistics.fee_charged, 'fee_charged'), 'p80');
}

type FeeBounds = Pick<StellarSettings, 'feePerOperation' | 'maxFeePerOperation'>;

export function firstBid({ feePerOperation, maxFeePerOperation }: FeeBounds, marketMinor: bigint): bigint {
  const wanted = marketMinor > feePerOperation ? marketMinor * ABOVE_MARKET : feePerOperation;
  return wanted < maxFeePerOperation ? wanted : maxFeePerOperation;
}

/** The next fee for a payment that offered too little; undefined: it did not, or the limit is reached. */
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
