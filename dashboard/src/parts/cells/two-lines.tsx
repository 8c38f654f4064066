// A cell of a table with two lines: what it is, and what tells it from others; and the number of a bank account in it.
import type { ReactNode } from 'react';
import styles from './two-lines.module.css';

/** `058:0123456789`, which may go on in a new line behind the colon and nowhere else in the number. */
export function BankAccount({ account }: { readonly account: string }) {
  const at = account.indexOf(':') + 1;
  return (
    <span className={styles.account}>
      {account.slice(0, at)}
      <wbr />
      <span className={styles.whole}>{account.slice(at)}</span>
    </span>
  );
}

export function TwoLines({ main, below }: { readonly main: ReactNode; readonly below: ReactNode }) {
  return (
    <span className={styles.lines}>
      <span className={styles.main}>{main}</span>
      <span className="quiet">{below}</span>
    </span>
  );
}
