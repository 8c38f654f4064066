// One endpoint: its deliveries, and what people ask it to send.
import { pathTo, post } from '../../../api/calls.ts';
import type { RecoverWebhooksAnswer, RotateWebhookKeysAnswer } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useList } from '../../../api/reads.ts';
import { ENDPOINT, useOfEndpoint } from '../webhooks/data.ts';

export const FILTERS = ['all', 'pending', 'delivered', 'failed'] as const;

export function useDeliveries(endpointId: string, state: (typeof FILTERS)[number]) {
  return useList(`${ENDPOINT}/deliveries`, 'deliveries', {
    params: useOfEndpoint(endpointId),
    query: { state: state === 'all' ? undefined : state },
  });
}

type Params = ReturnType<typeof useOfEndpoint>;

function useEndpointAction<Input, Answer>(
  id: string,
  run: (params: Params, input: Input) => Promise<Answer>,
  options: { readonly done?: (answer: Answer) => string; readonly onDone?: (answer: Answer) => void },
) {
  const params = useOfEndpoint(id);
  const refreshes = [pathTo(ENDPOINT, { params })];
  return useAction((input: Input) => run(params, input), { refreshes, quiet: true, ...options });
}

export function useSendTest(id: string, onDone: () => void) {
  return useEndpointAction(
    id,
    (params, type: string) => post(`${ENDPOINT}/test`, { params, body: type === '' ? {} : { type } }),
    { done: () => 'A test event is on its way.', onDone },
  );
}

export function useRotate(id: string, onDone: (made: RotateWebhookKeysAnswer) => void) {
  return useEndpointAction(
    id,
    (params, hours: number) => post(`${ENDPOINT}/rotate`, { params, body: { overlap_hours: hours } }),
    { onDone },
  );
}

/** A request takes a part of a long range: the rest is asked for until nothing is left. */
async function queueAll(
  ask: (cursor: string | undefined) => Promise<RecoverWebhooksAnswer>,
): Promise<number> {
  let sum = 0;
  let cursor: string | undefined;
  do {
    const answer: RecoverWebhooksAnswer = await ask(cursor);
    sum += answer.queued;
    cursor = answer.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return sum;
}

const queuedText = (count: number) =>
  count === 0
    ? 'There was nothing to send again.'
    : `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} sent again.`;

export function useResend(id: string, onDone: () => void) {
  return useEndpointAction(
    id,
    (params, range: { readonly from: string; readonly to: string }) =>
      queueAll((cursor) => post(`${ENDPOINT}/redeliver`, { params, body: { ...range, cursor } })),
    { done: queuedText, onDone },
  );
}

export function useRecover(id: string, onDone: () => void) {
  return useEndpointAction(
    id,
    (params, since: string) =>
      queueAll((cursor) => post(`${ENDPOINT}/recover`, { params, body: { since, cursor } })),
    { done: queuedText, onDone },
  );
}
