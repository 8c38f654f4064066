// Reads of webhook endpoints, and the labels for the states of endpoints and deliveries. The pages of one endpoint and of one
// delivery use them too.

import { useEffect, useEffectEvent } from 'react';
import type { WebhookDelivery, WebhookEndpoint } from '../../../api/console-types.ts';
import { useRefresh } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { words } from '../../../components/format.ts';
import { State } from '../../../components/values.tsx';
import { useBusinessLocation, useBusinessRole } from '../../../layout/location.ts';

const DISABLED = {
  gone: 'Disabled: returned 410',
  failing: 'Disabled: failing for five days',
  requested: 'Disabled',
} as const;

type Shown = Pick<WebhookEndpoint, 'state' | 'disabled_reason' | 'failing_since'>;

export function EndpointState({ endpoint }: { readonly endpoint: Shown }) {
  const { state, disabled_reason: reason, failing_since } = endpoint;
  if (state === 'disabled')
    return (
      <State
        state="disabled"
        tone={reason === 'requested' ? 'waiting' : 'failed'}
        label={DISABLED[reason ?? 'requested']}
      />
    );
  return failing_since === null ? <State state="enabled" /> : <State state="failing" tone="person" />;
}

export function DeliveryState({
  delivery: { state, reason, attempts_made },
}: {
  readonly delivery: WebhookDelivery;
}) {
  if (state === 'pending' && attempts_made > 0)
    return <State state="retrying" tone="person" label="Retrying" />;
  if (state === 'failed' && reason !== null)
    return <State state="failed" label={`Failed: ${words(reason).toLowerCase()}`} />;
  return <State state={state} />;
}

export const WEBHOOKS = '/businesses/{business_id}/webhooks/{mode}';
export const ENDPOINTS = `${WEBHOOKS}/endpoints` as const;
export const ENDPOINT = `${ENDPOINTS}/{endpoint_id}` as const;

export function useEndpointParams(id: string) {
  return { ...useBusinessLocation().params, endpoint_id: id };
}

export function useMayManage(): boolean {
  return useBusinessRole() !== 'viewer';
}

export function useEndpoints() {
  const { params } = useBusinessLocation();
  return useRead(ENDPOINTS, { params, refetchMs: 10_000 });
}

export function useEndpoint(id: string) {
  const read = useRead(ENDPOINT, { params: useEndpointParams(id) });
  return { ...read, endpoint: read.data?.endpoint };
}

export function usePolling(path: string, refetchMs = 3_000): void {
  const refresh = useRefresh();
  const read = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void refresh(path);
  });
  useEffect(() => {
    const timer = setInterval(read, refetchMs);
    return () => clearInterval(timer);
  }, [refetchMs]);
}
