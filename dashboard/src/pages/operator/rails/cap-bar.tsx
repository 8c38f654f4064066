// What new payouts of today add up to on a rail, beside the most that they may.
import type { Rail } from '../../../api/console-types.ts';
import { Money } from '../../../parts/amount.tsx';
import { digits } from '../../../parts/format.ts';
import styles from './rails.module.css';

export function CapBar({ rail: { rail, cap, used_today: used } }: { readonly rail: Rail }) {
  if (cap === null)
    return (
      <p className={styles.cap}>
        <Money amount={used} /> <span className="quiet">given to it today, no cap</span>
      </p>
    );
  // For the width of a bar alone: amounts are shown from their digits.
  const percent = Math.min(100, (Number(used) / Number(cap)) * 100);
  return (
    <div>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${rail}: ${digits(used)} of ${digits(cap)} naira used today`}
      >
        <span
          className={styles.used}
          data-full={percent >= 90 || undefined}
          style={{ width: `${percent}%` }}
        />
      </div>
      <p className={styles.cap}>
        <Money amount={used} />{' '}
        <span className="quiet">
          of <Money amount={cap} /> used today
        </span>
      </p>
    </div>
  );
}
