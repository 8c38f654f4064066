// Reads the location of a page from its URL. The URL contains the business and the mode, so that a link identifies its data.
import { useLocation, useParams, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type BusinessRole, useSignedIn } from '../api/session.ts';

export type Mode = 'test' | 'live';

export interface BusinessLocation {
  readonly businessId: string;
  readonly mode: Mode;
  readonly base: string;
  readonly params: { readonly business_id: string; readonly mode: Mode };
}

export function useBusinessLocation(): BusinessLocation {
  const { businessId = '', mode } = useParams({ strict: false }) as { businessId?: string; mode?: string };
  const known: Mode = mode === 'live' ? 'live' : 'test';
  return {
    businessId,
    mode: known,
    base: `/app/b/${encodeURIComponent(businessId)}/${known}`,
    params: { business_id: businessId, mode: known },
  };
}

export interface OperatorLocation {
  readonly mode: Mode;
  readonly base: string;
}

export function useOperatorLocation(): OperatorLocation {
  const { mode } = useParams({ strict: false }) as { mode?: string };
  const known: Mode = mode === 'test' ? 'test' : 'live';
  return { mode: known, base: `/app/operator/${known}` };
}

export function useParam(name: string): string {
  return (useParams({ strict: false }) as Record<string, string | undefined>)[name] ?? '';
}

export function useFilters(): {
  readonly filters: Readonly<Record<string, string>>;
  /** An empty text removes the filter. */
  readonly set: (changes: Readonly<Record<string, string>>) => void;
} {
  const { history } = useRouter();
  const { pathname, searchStr } = useLocation();
  return useMemo(() => {
    const filters = Object.fromEntries(new URLSearchParams(searchStr));
    const set = (changes: Readonly<Record<string, string>>) => {
      const next = Object.entries({ ...filters, ...changes }).filter(([, value]) => value !== '');
      const text = new URLSearchParams(next).toString();
      history.replace(text === '' ? pathname : `${pathname}?${text}`);
    };
    return { filters, set };
  }, [history, pathname, searchStr]);
}

export function useBusinessRole(): BusinessRole {
  const { memberships } = useSignedIn();
  const { businessId } = useBusinessLocation();
  return memberships.find((each) => each.business_id === businessId)?.role ?? 'viewer';
}
