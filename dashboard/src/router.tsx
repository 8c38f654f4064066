// All pages and their URLs. Each page is a separate file that is loaded when the page is opened.
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { queryClient } from './api/query.ts';
import { homePathOf, readSession, SESSION_KEY } from './api/session.ts';
import { BusinessLayout, OperatorLayout } from './layout/layout.tsx';
import { PageError, PageNotFound, PageSkeleton, PlainLayout } from './layout/plain-layout.tsx';

type Load = () => Promise<{ default: ComponentType }>;

const session = () => queryClient.ensureQueryData({ queryKey: SESSION_KEY, queryFn: readSession });

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: PageNotFound,
  errorComponent: PageError,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/app',
  beforeLoad: async () => {
    const signedIn = await session();
    throw redirect({ to: signedIn === null ? '/app/sign-in' : homePathOf(signedIn), replace: true });
  },
});

const PUBLIC: Readonly<Record<string, Load>> = {
  '/app/sign-in': () => import('./pages/sign-in/sign-in/page.tsx'),
  '/app/sign-up': () => import('./pages/sign-in/sign-up/page.tsx'),
  '/app/invitation': () => import('./pages/sign-in/invitation/page.tsx'),
  '/app/reset-password': () => import('./pages/sign-in/reset-password/page.tsx'),
  '/app/mails': () => import('./pages/sign-in/mails/page.tsx'),
};

/** Below /app/b/$businessId/$mode. */
const BUSINESS: Readonly<Record<string, Load>> = {
  '/': () => import('./pages/business/overview/page.tsx'),
  '/start': () => import('./pages/business/start/page.tsx'),
  '/transactions': () => import('./pages/business/transactions/page.tsx'),
  '/transactions/$transactionId': () => import('./pages/business/transaction/page.tsx'),
  '/rates': () => import('./pages/business/rates/page.tsx'),
  '/keys': () => import('./pages/business/keys/page.tsx'),
  '/webhooks': () => import('./pages/business/webhooks/page.tsx'),
  '/webhooks/$endpointId': () => import('./pages/business/endpoint/page.tsx'),
  '/webhooks/deliveries/$deliveryId': () => import('./pages/business/delivery/page.tsx'),
  '/requests': () => import('./pages/business/requests/page.tsx'),
  '/wallets': () => import('./pages/business/wallets/page.tsx'),
  '/team': () => import('./pages/business/team/page.tsx'),
};

/** Below /app/operator/$mode. */
const OPERATOR: Readonly<Record<string, Load>> = {
  '/': () => import('./pages/operator/attention/page.tsx'),
  '/review': () => import('./pages/operator/review/page.tsx'),
  '/review/$recordId': () => import('./pages/operator/record/page.tsx'),
  '/proposals': () => import('./pages/operator/proposals/page.tsx'),
  '/proposals/$proposalId': () => import('./pages/operator/proposal/page.tsx'),
  '/cases': () => import('./pages/operator/cases/page.tsx'),
  '/cases/$caseId': () => import('./pages/operator/case/page.tsx'),
  '/payouts': () => import('./pages/operator/payouts/page.tsx'),
  '/payouts/$payoutId': () => import('./pages/operator/payout/page.tsx'),
  '/rails': () => import('./pages/operator/rails/page.tsx'),
  '/reconciliation': () => import('./pages/operator/reconciliation/page.tsx'),
  '/reconciliation/$bankAccount/$day': () => import('./pages/operator/reconciled-day/page.tsx'),
  '/search': () => import('./pages/operator/search/page.tsx'),
  '/businesses': () => import('./pages/operator/businesses/page.tsx'),
  '/businesses/$businessId': () => import('./pages/operator/business/page.tsx'),
  '/treasury': () => import('./pages/operator/treasury/page.tsx'),
  '/ledger': () => import('./pages/operator/ledger/page.tsx'),
  '/ledger/accounts/$accountId': () => import('./pages/operator/account/page.tsx'),
  '/ledger/entries/$entryId': () => import('./pages/operator/entry/page.tsx'),
  '/vendors': () => import('./pages/operator/vendors/page.tsx'),
  '/statements': () => import('./pages/operator/statements/page.tsx'),
  '/statements/$fileId': () => import('./pages/operator/statement/page.tsx'),
  '/rates': () => import('./pages/operator/rates/page.tsx'),
  '/stops': () => import('./pages/operator/stops/page.tsx'),
  '/people': () => import('./pages/operator/people/page.tsx'),
  '/audit': () => import('./pages/operator/audit/page.tsx'),
  '/privacy': () => import('./pages/operator/privacy/page.tsx'),
};

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    if ((await session()) !== null) return;
    const next = location.pathname + location.searchStr;
    throw redirect({ to: '/app/sign-in', search: { next }, replace: true });
  },
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/app/account',
  component: PlainLayout,
});
const security = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/account/security/page.tsx')),
});
const business = createRoute({
  getParentRoute: () => signedIn,
  path: '/app/b/$businessId/$mode',
  component: BusinessLayout,
});
const operator = createRoute({
  getParentRoute: () => signedIn,
  path: '/app/operator/$mode',
  component: OperatorLayout,
});

// The paths are data, so the routes have the general type `AnyRoute`.
const below = (parent: AnyRoute, pages: Readonly<Record<string, Load>>): AnyRoute[] =>
  Object.entries(pages).map(([path, load]) =>
    createRoute({ getParentRoute: () => parent, path, component: lazyRouteComponent(load) }),
  );
const withPages = (parent: AnyRoute, pages: Readonly<Record<string, Load>>): AnyRoute =>
  parent.addChildren(below(parent, pages));

const tree = root.addChildren([
  home,
  ...below(root, PUBLIC),
  signedIn.addChildren([
    account.addChildren([security]),
    withPages(business, BUSINESS),
    withPages(operator, OPERATOR),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: PageNotFound,
  defaultPreload: 'intent',
  scrollRestoration: true,
});
