// The log of requests: a list with its filters, and one request with its body.
import { useMemo } from 'react';
import { useList, useRead } from '../../../api/query.ts';
import { useBusinessPlace } from '../../../frame/place.ts';

export interface LoggedRequest {
  readonly request_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly duration_ms: number;
  readonly key_id: string;
}

export interface RequestDetail extends LoggedRequest {
  readonly body: unknown;
  readonly body_truncated: boolean;
}

export const SINCE: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  hour: { label: 'Last hour', ms: 3_600_000 },
  day: { label: 'Last 24 hours', ms: 86_400_000 },
  week: { label: 'Last 7 days', ms: 7 * 86_400_000 },
};

export function useRequestsApi(): string {
  const { api, mode } = useBusinessPlace();
  return `${api}/requests/${mode}`;
}

/** The filters as the address of the page has them. */
export function useRequests({ status = '', path = '', since = '' }: Readonly<Record<string, string>>) {
  const api = useRequestsApi();
  const query = useMemo(() => {
    const span = SINCE[since];
    const given = [
      ['status', status],
      ['path', path.trim()],
      ['from', span === undefined ? '' : new Date(Date.now() - span.ms).toISOString()],
    ].filter((pair): pair is [string, string] => pair[1] !== '');
    return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  }, [status, path, since]);
  return useList<LoggedRequest>(api + query, 'requests');
}

export function useRequest(id: string) {
  const read = useRead<{ readonly request: RequestDetail }>(`${useRequestsApi()}/${encodeURIComponent(id)}`);
  return { ...read, request: read.data?.request };
}

/** The names of keys, for those who may see keys. */
export function useKeyNames(isAllowed: boolean): ReadonlyMap<string, string> {
  const { api } = useBusinessPlace();
  const { data } = useRead<{ keys: { key_id: string; name: string; hint: string }[] }>(
    isAllowed ? `${api}/keys` : null,
  );
  return useMemo(
    () => new Map(data?.keys.map(({ key_id, name, hint }) => [key_id, name || `${hint}…`])),
    [data],
  );
}
