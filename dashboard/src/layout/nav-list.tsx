// The navigation on the left, with icons and labels. On a phone the navigation is in a drawer.
import { useLocation } from '@tanstack/react-router';
import { Icon, Logo } from '../components/icon.tsx';
import { AppLink } from '../components/link.tsx';
import styles from './layout.module.css';
import type { NavGroup } from './navigation.ts';

interface NavListProps {
  readonly base: string;
  readonly groups: readonly NavGroup<never>[];
  readonly onFollow: () => void;
}

export function NavList({ base, groups, onFollow }: NavListProps) {
  const { pathname } = useLocation();
  const isHere = (path: string) => {
    const target = base + path;
    return path === '' ? pathname === target || pathname === `${target}/` : pathname.startsWith(target);
  };
  return (
    <nav className={styles.nav} aria-label="Main navigation">
      {groups.map(({ title, entries }) => (
        <div key={title ?? 'first'}>
          {title !== null && <p className={styles.navTitle}>{title}</p>}
          <ul>
            {entries.map(({ label, path, icon }) => (
              <li key={path}>
                <AppLink
                  to={base + path}
                  className={styles.navLink}
                  aria-current={isHere(path) ? 'page' : undefined}
                  onClick={onFollow}
                >
                  <Icon name={icon} />
                  <span>{label}</span>
                </AppLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className={styles.navEnd}>
        <ul>
          <li>
            <a href="/docs/guide" className={styles.navLink}>
              <Icon name="book" />
              <span>Guide</span>
            </a>
          </li>
          <li>
            <a href="/docs" className={styles.navLink}>
              <Icon name="book" />
              <span>API reference</span>
            </a>
          </li>
        </ul>
      </div>
    </nav>
  );
}

export function Brand({ suffix }: { readonly suffix?: string }) {
  return (
    <span className={styles.brand}>
      <Logo size={22} />
      <span>Sliproad</span>
      {suffix !== undefined && <span className={styles.brandSuffix}>{suffix}</span>}
    </span>
  );
}
