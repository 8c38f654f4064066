// The layout of pages outside of an area. This file also contains the page for an unknown URL and the error page.
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useSession } from '../api/session.ts';
import { AppLink, TextLink } from '../components/link.tsx';
import { Empty, Failure, Loading, Page } from '../components/page.tsx';
import { AccountMenu } from './account-menu.tsx';
import styles from './layout.module.css';
import { Brand } from './nav-list.tsx';

export function PlainLayout() {
  return (
    <div>
      <header className={styles.top}>
        <AppLink to="/app" className="plain-link" aria-label="Sliproad home">
          <Brand />
        </AppLink>
        <div className={styles.topEnd}>
          <AccountMenu />
        </div>
      </header>
      <main id="page" className={styles.main}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}

export function PageNotFound() {
  const { data } = useSession();
  return (
    <main>
      <Page title="Page not found">
        <Empty icon="search" title="This page does not exist">
          The address is wrong, or the page belongs to a business that you are not a member of.{' '}
          <TextLink to={data ? '/app' : '/app/sign-in'}>{data ? 'Go to your home page' : 'Sign in'}</TextLink>
        </Empty>
      </Page>
    </main>
  );
}

export function PageError({ error }: { readonly error: unknown }) {
  return (
    <div className={styles.placeholder}>
      <Failure
        error={error}
        meaning="This page failed to load. Your data and your money are not affected."
        retry={() => window.location.reload()}
      />
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div className={styles.placeholder}>
      <Loading lines={5} label="Loading page" />
    </div>
  );
}
