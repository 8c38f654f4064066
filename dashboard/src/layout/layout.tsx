// The layout of every page behind the sign-in: the test-mode bar, the top bar, the navigation and the page. The navigation of
// the operator has a different colour than the navigation of a business, so that people do not confuse them.
import { Drawer, Menu, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useSignedIn } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { useGo } from '../components/link.tsx';
import { AccountMenu } from './account-menu.tsx';
import styles from './layout.module.css';
import { type Mode, useBusinessLocation, useOperatorLocation } from './location.ts';
import { Brand, NavList } from './nav-list.tsx';
import { BUSINESS_NAV, type NavGroup, OPERATOR_NAV, visibleGroups } from './navigation.ts';
import { Palette, usePalette } from './palette.tsx';
import { PageNotFound, PageSkeleton } from './plain-layout.tsx';

interface LayoutProps {
  readonly area: 'business' | 'operator';
  readonly base: string;
  readonly mode: Mode;
  readonly businessId: string | null;
  readonly groups: readonly NavGroup<never>[];
}

export function BusinessLayout() {
  const { memberships } = useSignedIn();
  const { businessId, mode, base } = useBusinessLocation();
  const role = memberships.find((each) => each.business_id === businessId)?.role;
  if (role === undefined) return <PageNotFound />;
  const groups = visibleGroups(BUSINESS_NAV, role) as readonly NavGroup<never>[];
  return <Layout area="business" base={base} mode={mode} businessId={businessId} groups={groups} />;
}

export function OperatorLayout() {
  const { person } = useSignedIn();
  const { mode, base } = useOperatorLocation();
  if (person.operator_role === null) return <PageNotFound />;
  const groups = visibleGroups(OPERATOR_NAV, person.operator_role) as readonly NavGroup<never>[];
  return <Layout area="operator" base={base} mode={mode} businessId={null} groups={groups} />;
}

function Layout({ area, base, mode, businessId, groups }: LayoutProps) {
  const [drawer, { open, close }] = useDisclosure(false);
  const palette = usePalette();
  const nav = <NavList base={base} groups={groups} onFollow={close} />;
  return (
    <div className={styles.layout} data-area={area} data-mode={mode}>
      <a className={styles.skip} href="#page">
        Skip to content
      </a>
      {mode === 'test' && <div className={styles.testBar} aria-hidden />}
      <aside className={styles.side}>
        <div className={styles.sideHead}>
          <Brand {...(area === 'operator' && { suffix: 'Operator' })} />
        </div>
        {nav}
      </aside>
      <Drawer
        opened={drawer}
        onClose={close}
        size={264}
        title={<Brand />}
        classNames={{ content: styles.drawer! }}
      >
        <div data-area={area}>{nav}</div>
      </Drawer>
      <header className={styles.top}>
        <UnstyledButton className={styles.menu} onClick={open} aria-label="Open navigation">
          <Icon name="menu" size={20} />
        </UnstyledButton>
        <BusinessSwitcher current={businessId} />
        <div className={styles.topEnd}>
          <UnstyledButton className={styles.find} onClick={palette.open}>
            <Icon name="search" size={16} />
            <span className={styles.findWord}>Search</span>
            <kbd className={styles.key}>/</kbd>
          </UnstyledButton>
          <ModeSwitch mode={mode} />
          <AccountMenu />
        </div>
      </header>
      <main id="page" className={styles.main} tabIndex={-1}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <Palette
        opened={palette.opened}
        onClose={palette.close}
        area={area}
        base={base}
        mode={mode}
        businessId={businessId}
      />
    </div>
  );
}

/** Leads to the list page in the other mode, because a record exists in only one mode. */
function pathInMode(pathname: string, to: Mode): string {
  const parts = pathname.split('/');
  const at = parts.findIndex((part) => part === 'test' || part === 'live');
  return [...parts.slice(0, at), to, ...parts.slice(at + 1, at + 2)].join('/');
}

function ModeSwitch({ mode }: { readonly mode: Mode }) {
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
          onClick={() => go(pathInMode(pathname, each))}
        >
          {each === 'test' ? 'TEST' : 'Live'}
        </button>
      ))}
    </fieldset>
  );
}

function BusinessSwitcher({ current }: { readonly current: string | null }) {
  const { person, memberships } = useSignedIn();
  const go = useGo();
  const name = memberships.find(({ business_id }) => business_id === current)?.business_name ?? 'Operator';
  const workspaces = memberships.length + (person.operator_role === null ? 0 : 1);
  if (workspaces < 2) return <span className={styles.business}>{name}</span>;
  return (
    <Menu position="bottom-start" width={260}>
      <Menu.Target>
        <UnstyledButton className={styles.business}>
          <span>{name}</span>
          <Icon name="down" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {person.operator_role !== null && (
          <Menu.Item leftSection={<Icon name="shield" />} onClick={() => go('/app/operator/live')}>
            Operator
          </Menu.Item>
        )}
        {memberships.map(({ business_id, business_name }) => (
          <Menu.Item
            key={business_id}
            leftSection={<Icon name="building" />}
            onClick={() => go(`/app/b/${business_id}/test`)}
          >
            {business_name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
