// The texts of the overview: the sentence about today, the share of completed transactions, and the required actions.
import type { DayFigures, Waiting } from '../../../api/console-types.ts';
import { counted, duration, naira } from '../../../components/format.ts';

export function addNaira(a: string, b: string): string {
  const kobo = (BigInt(a.replace('.', '')) + BigInt(b.replace('.', ''))).toString().padStart(3, '0');
  return `${kobo.slice(0, -2)}.${kobo.slice(-2)}`;
}

export function todaySentence(today: DayFigures): string {
  const parts = [
    ...(today.buys > 0 ? [counted(today.buys, 'buy')] : []),
    ...(today.sells > 0 ? [counted(today.sells, 'sell')] : []),
  ];
  if (parts.length === 0) return 'No transactions yet today';
  return `${naira(addNaira(today.buy_volume, today.sell_volume))} in ${parts.join(' and ')} today`;
}

/**
 * The share of completed transactions among those that ended, with one decimal. It is never rounded up to 100 %. Null means
 * that no transaction has ended.
 */
export function completedShare({ completed, failed, refunded, lapsed }: DayFigures): string | null {
  const over = completed + failed + refunded + lapsed;
  if (over === 0) return null;
  const permille = Math.floor((completed * 1_000) / over);
  return `${permille % 10 === 0 ? permille / 10 : (permille / 10).toFixed(1)} %`;
}

export function todayDetail(today: DayFigures, medianSeconds: number | null): string {
  if (today.buys + today.sells === 0) return 'Figures appear with the first transaction.';
  const share = completedShare(today);
  const parts = [
    ...(share === null ? [] : [`${share} of finished transactions completed`]),
    ...(medianSeconds === null ? [] : [`median ${seconds(medianSeconds)} from payment to delivery`]),
    ...(today.open > 0 ? [`${today.open.toLocaleString('en')} in progress`] : []),
  ];
  const text = parts.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Times below ten seconds have one decimal, for example 0.4 s. */
export function seconds(value: number): string {
  return value < 10 ? `${Number(value.toFixed(1))} s` : duration(value);
}

export interface RequiredAction {
  readonly count: number;
  readonly label: string;
  readonly what: string;
  readonly path: string;
  readonly state: string;
}

const NEEDS: readonly (Omit<RequiredAction, 'count'> & { readonly of: keyof Waiting })[] = [
  {
    of: 'on_hold',
    label: 'On hold',
    what: 'Under review by the operator. Open one to see why.',
    path: '/transactions?state=on_hold',
    state: 'on_hold',
  },
  {
    of: 'awaiting_wallet',
    label: 'Wallet missing',
    what: 'The tokens are sent as soon as you set one.',
    path: '/transactions?state=awaiting_wallet',
    state: 'awaiting_wallet',
  },
  {
    of: 'awaiting_trustline',
    label: 'Trustline missing',
    what: 'The wallet cannot hold the token until its owner adds a trustline.',
    path: '/transactions?state=awaiting_trustline',
    state: 'on_hold',
  },
  {
    of: 'payout_failed',
    label: 'Payout failed',
    what: 'The bank refused the payout. The tokens are returned.',
    path: '/transactions?state=payout_failed',
    state: 'payout_failed',
  },
  {
    of: 'endpoints_disabled',
    label: 'Endpoints disabled',
    what: 'They receive no events.',
    path: '/webhooks',
    state: 'failed',
  },
  {
    of: 'deliveries_failed',
    label: 'Deliveries failed',
    what: 'In the last 24 hours. Resend them once the endpoint responds.',
    path: '/webhooks',
    state: 'failed',
  },
];

export function requiredActions(waiting: Waiting): readonly RequiredAction[] {
  return NEEDS.map(({ of, ...need }) => ({ ...need, count: waiting[of] })).filter(({ count }) => count > 0);
}

/** The service counts only up to 1,000. */
export function cappedCountText(count: number): string {
  return count >= 1_000 ? '1,000+' : String(count);
}

export function shortDay(day: string): string {
  const at = new Date(`${day}T12:00:00Z`);
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
}
