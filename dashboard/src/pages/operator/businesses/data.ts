// The texts for the fees and limits of a business.
import type { Fee, Volume } from '../../../api/console-types.ts';
import { naira } from '../../../components/format.ts';

export function countOf({ count, more }: Volume): string {
  return `${count.toLocaleString('en-GB')}${more ? '+' : ''}`;
}

export function feeText(fee: Fee | undefined): string {
  if (fee === undefined || (fee.flat === '0.00' && fee.fee_bps === 0)) return 'None';
  const parts = [fee.flat !== '0.00' && naira(fee.flat), fee.fee_bps > 0 && `${fee.fee_bps / 100} %`].filter(
    (part) => part !== false,
  );
  return `${parts.join(' + ')}${fee.cap === null ? '' : `, max. ${naira(fee.cap)}`}`;
}
