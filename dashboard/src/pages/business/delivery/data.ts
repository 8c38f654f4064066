// One delivery: the request that was sent, and every attempt with what was answered.
import { post } from '../../../api/client.ts';
import { useAction, useRead } from '../../../api/query.ts';
import { type Delivery, useWebhooksApi } from '../webhooks/data.ts';

export interface Attempt {
  readonly no: number;
  readonly at: string;
  readonly duration_ms: number;
  readonly status: number | null;
  readonly outcome: string;
  readonly error: string | null;
  readonly answer: string | null;
}

export interface DeliveryDetail extends Delivery {
  readonly attempts: readonly Attempt[];
  /** Null when the event is no longer known. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
}

export function useDelivery(id: string) {
  const read = useRead<{ readonly delivery: DeliveryDetail }>(`${useWebhooksApi()}/deliveries/${id}`);
  return { ...read, delivery: read.data?.delivery };
}

export function useRedeliver(id: string) {
  const api = useWebhooksApi();
  return useAction(() => post(`${api}/deliveries/${id}/redeliver`), {
    refreshes: [api],
    done: 'The delivery is on its way again, with the same webhook-id.',
  });
}
