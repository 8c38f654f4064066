// The frame of pages that belong to the person and to no business.
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { AppLink } from '../parts/link.tsx';
import { AccountMenu } from './account-menu.tsx';
import styles from './frame.module.css';
import { PagePlace } from './frame.tsx';
import { Brand } from './nav-list.tsx';

export function PlainFrame() {
  return (
    <div>
      <header className={styles.top}>
        <AppLink to="/app" className="plain-link" aria-label="Sliproad, first page">
          <Brand />
        </AppLink>
        <div className={styles.topEnd}>
          <AccountMenu />
        </div>
      </header>
      <main id="page" className={styles.main}>
        <Suspense fallback={<PagePlace />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}
