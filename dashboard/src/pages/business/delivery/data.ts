// One delivery: the request that was sent, and every attempt with what was answered.
import { pathTo, post } from '../../../api/calls.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { useBusinessPlace } from '../../../frame/place.ts';
import { WEBHOOKS } from '../webhooks/data.ts';

const DELIVERY = `${WEBHOOKS}/deliveries/{delivery_id}` as const;

export function useDeliveryPath(id: string): string {
  return pathTo(DELIVERY, { params: useOfDelivery(id) });
}

function useOfDelivery(id: string) {
  return { ...useBusinessPlace().params, delivery_id: id };
}

export function useDelivery(id: string) {
  const read = useRead(DELIVERY, { params: useOfDelivery(id) });
  return { ...read, delivery: read.data?.delivery };
}

export function useRedeliver(id: string) {
  const params = useOfDelivery(id);
  return useAction(() => post(`${DELIVERY}/redeliver`, { params }), {
    refreshes: [pathTo(`${WEBHOOKS}/endpoints`, { params }), pathTo(DELIVERY, { params })],
    done: 'The delivery is on its way again, with the same webhook-id.',
  });
}
