// One endpoint: its deliveries, and what people ask it to send.
import { post } from '../../../api/client.ts';
import { useAction, useList } from '../../../api/query.ts';
import { type Delivery, useWebhooksApi, type WithSecret } from '../webhooks/data.ts';

export const FILTERS = ['all', 'pending', 'delivered', 'failed'] as const;

export function useDeliveries(endpointId: string, state: string) {
  const filter = state === '' || state === 'all' ? '' : `?state=${encodeURIComponent(state)}`;
  return useList<Delivery>(`${useWebhooksApi()}/endpoints/${endpointId}/deliveries${filter}`, 'deliveries');
}

function useEndpointAction<Input, Answer>(
  id: string,
  run: (api: string, input: Input) => Promise<Answer>,
  options: { readonly done?: (answer: Answer) => string; readonly onDone?: (answer: Answer) => void },
) {
  const api = `${useWebhooksApi()}/endpoints/${id}`;
  return useAction<Input, Answer>((input) => run(api, input), { refreshes: [api], quiet: true, ...options });
}

export function useSendTest(id: string, onDone: () => void) {
  return useEndpointAction(
    id,
    (api, type: string) => post<{ delivery: Delivery }>(`${api}/test`, type === '' ? {} : { type }),
    { done: () => 'A test event is on its way.', onDone },
  );
}

export function useRotate(id: string, onDone: (made: WithSecret) => void) {
  return useEndpointAction(
    id,
    (api, hours: number) => post<WithSecret>(`${api}/rotate`, { overlap_hours: hours }),
    { onDone },
  );
}

interface Queued {
  readonly queued: number;
  readonly next_cursor: string | null;
}

/** A request takes a part of a long range: the rest is asked for until nothing is left. */
async function queueAll(path: string, body: object): Promise<number> {
  let sum = 0;
  let cursor: string | null = null;
  do {
    const answer: Queued = await post<Queued>(path, cursor === null ? body : { ...body, cursor });
    sum += answer.queued;
    cursor = answer.next_cursor;
  } while (cursor !== null);
  return sum;
}

const queuedText = (count: number) =>
  count === 0
    ? 'There was nothing to send again.'
    : `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} sent again.`;

export function useResend(id: string, onDone: () => void) {
  return useEndpointAction(
    id,
    (api, range: { readonly from: string; readonly to: string }) => queueAll(`${api}/redeliver`, range),
    { done: queuedText, onDone },
  );
}

export function useRecover(id: string, onDone: () => void) {
  return useEndpointAction(id, (api, since: string) => queueAll(`${api}/recover`, { since }), {
    done: queuedText,
    onDone,
  });
}
