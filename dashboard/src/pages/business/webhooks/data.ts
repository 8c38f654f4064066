// What is read of webhook endpoints. The pages of one endpoint and of one delivery use it, too.
import { useEffect, useEffectEvent } from 'react';
import { useRefresh } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { useBusinessPlace, useBusinessRole } from '../../../frame/place.ts';

/** The webhooks of the business and mode. */
export const WEBHOOKS = '/businesses/{business_id}/webhooks/{mode}';
export const ENDPOINTS = `${WEBHOOKS}/endpoints` as const;
export const ENDPOINT = `${ENDPOINTS}/{endpoint_id}` as const;

/** Of paths below an endpoint. */
export function useOfEndpoint(id: string) {
  return { ...useBusinessPlace().params, endpoint_id: id };
}

export function useMayManage(): boolean {
  return useBusinessRole() !== 'viewer';
}

export function useEndpoints() {
  const { params } = useBusinessPlace();
  return useRead(ENDPOINTS, { params, everyMs: 10_000 });
}

export function useEndpoint(id: string) {
  const read = useRead(ENDPOINT, { params: useOfEndpoint(id) });
  return { ...read, endpoint: read.data?.endpoint };
}

/** Reads again what is below the path while the page is open: a delivery changes without a click. */
export function usePolling(path: string, everyMs = 3_000): void {
  const refresh = useRefresh();
  const read = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void refresh(path);
  });
  useEffect(() => {
    const timer = setInterval(read, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
