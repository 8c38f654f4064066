// A person in a table: the name, and the address below it.
import type { Member } from '../../api/console-types.ts';
import { State } from '../../parts/state.tsx';
import styles from './people.module.css';

interface PersonCellProps extends Pick<Member, 'name' | 'email'>, Partial<Pick<Member, 'disabled'>> {
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
