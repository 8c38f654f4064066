// Test or live: impossible to miss. In test mode a bar crosses the top of every page, and the switch says TEST.
import { useLocation } from '@tanstack/react-router';
import { useGo } from '../parts/link.tsx';
import styles from './frame.module.css';
import type { Mode } from './place.ts';

/** Leads to the list of the same page: a record of one mode does not exist in the other. */
function counterpart(pathname: string, to: Mode): string {
  const parts = pathname.split('/');
  const at = parts.findIndex((part) => part === 'test' || part === 'live');
  return [...parts.slice(0, at), to, ...parts.slice(at + 1, at + 2)].join('/');
}

export function ModeSwitch({ mode }: { readonly mode: Mode }) {
  const go = useGo();
  const { pathname } = useLocation();
  return (
    <fieldset className={styles.modes}>
      <legend className="only-screen-reader">Mode</legend>
      {(['test', 'live'] as const).map((each) => (
        <button
          key={each}
          type="button"
          className={styles.mode}
          data-mode={each}
          aria-pressed={each === mode}
          onClick={() => go(counterpart(pathname, each))}
        >
          {each === 'test' ? 'TEST' : 'Live'}
        </button>
      ))}
    </fieldset>
  );
}
