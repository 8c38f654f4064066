// The location of a page: its URL contains the business and the mode, so that a link identifies its data.
import { useLocation, useParams, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type BusinessRole, useSignedIn } from '../api/session.ts';

export type Mode = 'test' | 'live';

export interface BusinessLocation {
  readonly businessId: string;
  readonly mode: Mode;
  /** The URL prefix of the pages of this business and mode. */
  readonly base: string;
  /** The path parameters of requests about a business and a mode. */
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

/** A path parameter of the page. */
export function useParam(name: string): string {
  return (useParams({ strict: false }) as Record<string, string | undefined>)[name] ?? '';
}

/** Filters are in the URL, so that a reload or a shared link shows the same list. */
export function useFilters(): {
  readonly filters: Readonly<Record<string, string>>;
  /** An empty text removes a filter. */
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
