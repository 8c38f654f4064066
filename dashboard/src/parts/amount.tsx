// Money: the currency lighter than its digits, tabular, never broken over two lines.

import styles from './amount.module.css';
import { digits } from './format.ts';

export function Money({
  amount,
  muted = false,
}: {
  readonly amount: string | number;
  readonly muted?: boolean;
}) {
  const text = digits(amount);
  const negative = text.startsWith('−');
  return (
    <span className={`${styles.amount} ${muted ? 'quiet' : ''}`}>
      {negative && '−'}
      <span className={styles.unit}>₦</span>
      {negative ? text.slice(1) : text}
    </span>
  );
}

/** `amount`: in whole tokens, as text with the asset's own decimals. */
export function TokenAmount({ amount, asset }: { readonly amount: string; readonly asset: string }) {
  return (
    <span className={styles.amount}>
      {digits(amount)} <span className={styles.unit}>{asset}</span>
    </span>
  );
}
