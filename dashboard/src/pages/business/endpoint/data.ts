// One endpoint: its deliveries, and what was sent to it before and is sent again.
import { post } from '../../../api/calls.ts';
import type { RecoverWebhooksAnswer } from '../../../api/console-types.ts';
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

export const queuedText = (count: number) =>
  count === 0
    ? 'There was nothing to send again.'
    : `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} sent again.`;

export function resend(params: Params, range: { readonly from: string; readonly to: string }) {
  return queueAll((cursor) => post(`${ENDPOINT}/redeliver`, { params, body: { ...range, cursor } }));
}

export function recover(params: Params, since: string) {
  return queueAll((cursor) => post(`${ENDPOINT}/recover`, { params, body: { since, cursor } }));
}
