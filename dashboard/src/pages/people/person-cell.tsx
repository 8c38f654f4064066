// A person in a table: the name, and the address below it.
import { State } from '../../parts/state.tsx';
import styles from './people.module.css';

interface PersonCellProps {
  readonly name: string;
  readonly email: string;
  readonly disabled?: boolean;
  /** The person who looks at it. */
  readonly you?: boolean;
}

export function PersonCell({ name, email, disabled = false, you = false }: PersonCellProps) {
  return (
    <span className={styles.person}>
      <span className={styles.name}>
        {name}
        {you && <span className="quiet">(you)</span>}
        {disabled && <State state="disabled" />}
      </span>
      <span className={styles.email}>{email}</span>
    </span>
  );
}
