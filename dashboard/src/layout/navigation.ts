// Lists the pages of the navigation in their order, and who sees each page. To add a page, add a line here and a line in
// router.tsx.
import type { BusinessRole, OperatorRole } from '../api/session.ts';
import type { IconName } from '../components/icon.tsx';

export interface NavEntry<Role> {
  readonly label: string;
  /** The path of the page relative to the business and mode, or relative to the operator and mode. */
  readonly path: string;
  readonly icon: IconName;
  readonly roles?: readonly Role[];
}

export interface NavGroup<Role> {
  readonly title: string | null;
  readonly entries: readonly NavEntry<Role>[];
}

export const BUSINESS_NAV: readonly NavGroup<BusinessRole>[] = [
  {
    title: null,
    entries: [
      { label: 'Overview', path: '', icon: 'home' },
      { label: 'First buy', path: '/start', icon: 'rocket' },
      { label: 'Transactions', path: '/transactions', icon: 'list' },
      { label: 'Rates and quotes', path: '/rates', icon: 'rates' },
    ],
  },
  {
    title: 'Integration',
    entries: [
      { label: 'API keys', path: '/keys', icon: 'key', roles: ['owner', 'developer'] },
      { label: 'Webhooks', path: '/webhooks', icon: 'webhook' },
      { label: 'API requests', path: '/requests', icon: 'log' },
    ],
  },
  {
    title: 'Business',
    entries: [
      { label: 'Wallets', path: '/wallets', icon: 'wallet' },
      { label: 'Team', path: '/team', icon: 'team' },
    ],
  },
];

export const OPERATOR_NAV: readonly NavGroup<OperatorRole>[] = [
  {
    title: null,
    entries: [
      { label: 'Attention', path: '', icon: 'bell' },
      { label: 'Review', path: '/review', icon: 'review' },
      { label: 'Proposals', path: '/proposals', icon: 'proposal' },
      { label: 'Cases', path: '/cases', icon: 'case' },
      { label: 'Search', path: '/search', icon: 'search' },
    ],
  },
  {
    title: 'Money',
    entries: [
      { label: 'Payouts', path: '/payouts', icon: 'swap' },
      { label: 'Rails', path: '/rails', icon: 'link' },
      { label: 'Treasury', path: '/treasury', icon: 'treasury' },
      { label: 'Ledger', path: '/ledger', icon: 'ledger' },
      { label: 'Reconciliation', path: '/reconciliation', icon: 'check' },
      { label: 'Vendors', path: '/vendors', icon: 'bank' },
      { label: 'Statements', path: '/statements', icon: 'list' },
      { label: 'Rates', path: '/rates', icon: 'rates' },
      { label: 'Stops', path: '/stops', icon: 'stop' },
    ],
  },
  {
    title: 'Administration',
    entries: [
      { label: 'Businesses', path: '/businesses', icon: 'building' },
      { label: 'People', path: '/people', icon: 'team', roles: ['admin', 'auditor', 'approver'] },
      { label: 'Audit log', path: '/audit', icon: 'audit', roles: ['admin', 'auditor'] },
      { label: 'Privacy', path: '/privacy', icon: 'shield', roles: ['admin', 'reviewer', 'auditor'] },
    ],
  },
];

export function visibleGroups<Role>(
  groups: readonly NavGroup<Role>[],
  role: Role,
): readonly NavGroup<Role>[] {
  return groups
    .map((group) => ({
      ...group,
      entries: group.entries.filter(({ roles }) => roles === undefined || roles.includes(role)),
    }))
    .filter(({ entries }) => entries.length > 0);
}
