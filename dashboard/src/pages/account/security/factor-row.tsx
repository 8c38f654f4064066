// One kind of second factor: what it is, whether it is set up, and what can be done with it.
import type { ReactNode } from 'react';
import styles from './security.module.css';

interface FactorRowProps {
  readonly title: string;
  readonly state: ReactNode;
  readonly text: string;
  readonly action: ReactNode;
  readonly children?: ReactNode;
}

export function FactorRow({ title, state, text, action, children }: FactorRowProps) {
  return (
    <div className={styles.factor}>
      <div className={styles.factorHead}>
        <div className={styles.factorWords}>
          <h3>
            {title} {state}
          </h3>
          <p className="quiet">{text}</p>
        </div>
        {action}
      </div>
      {children}
    </div>
  );
}
