// Reads the request log: the list with its filters, and one request with its body.
import { useMemo } from 'react';
import { pathTo } from '../../../api/calls.ts';
import type { ListRequestsQuery } from '../../../api/console-types.ts';
import { useList, useRead } from '../../../api/reads.ts';
import { useBusinessLocation } from '../../../layout/location.ts';

export const SINCE: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  hour: { label: 'Last hour', ms: 3_600_000 },
  day: { label: 'Last 24 hours', ms: 86_400_000 },
  week: { label: 'Last 7 days', ms: 7 * 86_400_000 },
};

const REQUESTS = '/businesses/{business_id}/requests/{mode}';

export function useRequestsPath(): string {
  return pathTo(REQUESTS, { params: useBusinessLocation().params });
}

type StatusClass = NonNullable<ListRequestsQuery['status']>;

const CLASSES: readonly StatusClass[] = ['2xx', '4xx', '5xx'];

export function useRequests({ status = '', path = '', since = '' }: Readonly<Record<string, string>>) {
  const { params } = useBusinessLocation();
  const query = useMemo(() => {
    const span = SINCE[since];
    return {
      ...{ status: CLASSES.find((each) => each === status), path: path.trim() },
      from: span === undefined ? undefined : new Date(Date.now() - span.ms).toISOString(),
    };
  }, [status, path, since]);
  return useList(REQUESTS, 'requests', { params, query });
}

export function useRequest(id: string) {
  const read = useRead(`${REQUESTS}/{request_id}`, {
    params: { ...useBusinessLocation().params, request_id: id },
  });
  return { ...read, request: read.data?.request };
}

/** Only people who may see keys get their names. */
export function useKeyNames(isAllowed: boolean): ReadonlyMap<string, string> {
  const { params } = useBusinessLocation();
  const { data } = useRead('/businesses/{business_id}/keys', { params, enabled: isAllowed });
  return useMemo(
    () => new Map(data?.keys.map(({ key_id, name, hint }) => [key_id, name || `${hint}…`])),
    [data],
  );
}
