// A business as the operator's session API shows it, and its figures in words.
import { naira } from '../../../parts/format.ts';

export interface Fee {
  readonly product: string;
  readonly flat: string;
  readonly fee_bps: number;
  readonly cap: string | null;
  readonly own: boolean;
}

export interface Volume {
  readonly amount: string;
  readonly count: number;
  readonly completed: number;
  readonly more: boolean;
}

export interface Business {
  readonly business_id: string;
  readonly name: string;
  readonly link_tag: string;
  readonly sandbox: boolean;
  readonly created_at: string;
  readonly volume: Volume;
  readonly limits: {
    readonly per_transaction: string | null;
    readonly per_day: string | null;
    readonly per_month: string | null;
    readonly own: boolean;
  };
  readonly fees: readonly Fee[];
  readonly frozen: { readonly reason: string; readonly since: string } | null;
}

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
