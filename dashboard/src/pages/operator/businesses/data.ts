// The figures of a business in words.
import type { Fee, Volume } from '../../../api/console-types.ts';
import { naira } from '../../../components/format.ts';

export function countOf({ count, more }: Volume): string {
  return `${count.toLocaleString('en-GB')}${more ? '+' : ''}`;
}

/** "₦50.00 and 0.5 %, at most ₦2,000.00". */
export function feeText(fee: Fee | undefined): string {
  if (fee === undefined || (fee.flat === '0.00' && fee.fee_bps === 0)) return 'none';
  const parts = [fee.flat !== '0.00' && naira(fee.flat), fee.fee_bps > 0 && `${fee.fee_bps / 100} %`].filter(
    (part) => part !== false,
  );
  return `${parts.join(' and ')}${fee.cap === null ? '' : `, at most ${naira(fee.cap)}`}`;
}
