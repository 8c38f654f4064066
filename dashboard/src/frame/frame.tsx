// The frame around every page behind the sign-in: the bar of test mode, the top bar, the navigation, the page. The operator's
// navigation has a colour of its own, so that it is never mistaken for that of a business.
import { Drawer, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useSignedIn } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/page.tsx';
import { AccountMenu } from './account-menu.tsx';
import { BusinessSwitcher } from './business-switcher.tsx';
import styles from './frame.module.css';
import { ModeSwitch } from './mode-switch.tsx';
import { Brand, NavList } from './nav-list.tsx';
import { BUSINESS_NAV, type NavGroup, OPERATOR_NAV, visible } from './navigation.ts';
import { NoPage } from './no-page.tsx';
import { Palette, usePalette } from './palette.tsx';
import { type Mode, useBusinessPlace, useOperatorPlace } from './place.ts';

interface FrameProps {
  readonly area: 'business' | 'operator';
  readonly base: string;
  readonly mode: Mode;
  readonly businessId: string | null;
  readonly groups: readonly NavGroup<never>[];
}

export function BusinessFrame() {
  const { memberships } = useSignedIn();
  const { businessId, mode, base } = useBusinessPlace();
  const role = memberships.find((each) => each.business_id === businessId)?.role;
  if (role === undefined) return <NoPage />;
  const groups = visible(BUSINESS_NAV, role) as readonly NavGroup<never>[];
  return <Frame area="business" base={base} mode={mode} businessId={businessId} groups={groups} />;
}

export function OperatorFrame() {
  const { person } = useSignedIn();
  const { mode, base } = useOperatorPlace();
  if (person.operator_role === null) return <NoPage />;
  const groups = visible(OPERATOR_NAV, person.operator_role) as readonly NavGroup<never>[];
  return <Frame area="operator" base={base} mode={mode} businessId={null} groups={groups} />;
}

function Frame({ area, base, mode, businessId, groups }: FrameProps) {
  const [drawer, { open, close }] = useDisclosure(false);
  const palette = usePalette();
  const nav = <NavList base={base} groups={groups} onFollow={close} />;
  return (
    <div className={styles.frame} data-area={area} data-mode={mode}>
      <a className={styles.skip} href="#page">
        Skip to the page
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
        <UnstyledButton className={styles.menu} onClick={open} aria-label="Open the navigation">
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
        <Suspense fallback={<PagePlace />}>
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

export function PagePlace() {
  return (
    <div className={styles.place}>
      <Loading lines={5} label="Loading the page" />
    </div>
  );
}
