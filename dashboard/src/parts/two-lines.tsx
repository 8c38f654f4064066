// A cell of a table with two lines: what it is, and what tells it from others.
import type { ReactNode } from 'react';
import styles from './two-lines.module.css';

export function TwoLines({ main, below }: { readonly main: ReactNode; readonly below: ReactNode }) {
  return (
    <span className={styles.lines}>
      <span className={styles.main}>{main}</span>
      <span className="quiet">{below}</span>
    </span>
  );
}
