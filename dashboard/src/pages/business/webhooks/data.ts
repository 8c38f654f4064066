// Webhook endpoints and deliveries as the session API gives them, and what people do with an endpoint. The pages of one endpoint
// and of one delivery use it, too.
import { useEffect, useEffectEvent } from 'react';
import { del, post, put } from '../../../api/client.ts';
import { useAction, useRead, useRefresh } from '../../../api/query.ts';
import { type Mode, useBusinessPlace } from '../../../frame/place.ts';
import { useBusinessRole } from '../role.ts';

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  /** Null: every event. */
  readonly events: readonly string[] | null;
  readonly description: string | null;
  readonly mode: Mode;
  readonly state: 'enabled' | 'disabled';
  readonly disabled_reason: 'gone' | 'failing' | 'requested' | null;
  readonly public_key: string;
  readonly failing_since: string | null;
  readonly last_success_at: string | null;
  readonly created_at: string;
}

export interface Delivery {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly reason: string | null;
  readonly attempts_made: number;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface EndpointFields {
  readonly url: string;
  readonly description: string;
  /** Empty: every event. */
  readonly events: readonly string[];
}

export interface WithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

/** Below the business: the webhooks of the mode. */
export function useWebhooksApi(): string {
  const { api, mode } = useBusinessPlace();
  return `${api}/webhooks/${mode}`;
}

export function useMayManage(): boolean {
  return useBusinessRole() !== 'viewer';
}

interface EndpointList {
  readonly endpoints: readonly Endpoint[];
  readonly event_types: readonly string[];
}

export function useEndpoints() {
  return useRead<EndpointList>(`${useWebhooksApi()}/endpoints`, { everyMs: 10_000 });
}

export function useEndpoint(id: string) {
  const read = useRead<{ readonly endpoint: Endpoint }>(`${useWebhooksApi()}/endpoints/${id}`);
  return { ...read, endpoint: read.data?.endpoint };
}

export function useAddEndpoint(onDone: (made: WithSecret) => void) {
  const api = useWebhooksApi();
  return useAction((fields: EndpointFields) => post<WithSecret>(`${api}/endpoints`, fields), {
    refreshes: [`${api}/endpoints`],
    quiet: true,
    onDone,
  });
}

export function useChangeEndpoint(id: string, onDone: () => void) {
  const api = useWebhooksApi();
  return useAction(
    (fields: Partial<EndpointFields> & { readonly state?: Endpoint['state'] }) =>
      put(`${api}/endpoints/${id}`, fields),
    { refreshes: [`${api}/endpoints`], quiet: true, onDone },
  );
}

export function useDeleteEndpoint(id: string, onDone: () => void) {
  const api = useWebhooksApi();
  return useAction(() => del(`${api}/endpoints/${id}`), {
    refreshes: [`${api}/endpoints`],
    quiet: true,
    done: 'The endpoint is deleted.',
    onDone,
  });
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
