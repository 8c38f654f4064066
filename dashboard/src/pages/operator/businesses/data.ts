// The texts for the figures of a business.
import type { Fee, Volume } from '../../../api/console-types.ts';
import { naira } from '../../../components/format.ts';

export function countOf({ count, more }: Volume): string {
  return `${count.toLocaleString('en-GB')}${more ? '+' : ''}`;
}

/** "₦50.00 + 0.5 %, max. ₦2,000.00". */
export function feeText(fee: Fee | undefined): string {
  if (fee === undefined || (fee.flat === '0.00' && fee.fee_bps === 0)) return 'None';
  const parts = [fee.flat !== '0.00' && naira(fee.flat), fee.fee_bps > 0 && `${fee.fee_bps / 100} %`].filter(
    (part) => part !== false,
  );
  return `${parts.join(' + ')}${fee.cap === null ? '' : `, max. ${naira(fee.cap)}`}`;
}
