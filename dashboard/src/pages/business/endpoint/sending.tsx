// The dialogs of a webhook endpoint. They send a test event, send the events of a time range or all failed events again, and
// rotate the keys.
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { pathTo, post } from '../../../api/calls.ts';
import type {
  RecoverWebhooksAnswer,
  RotateWebhookKeysAnswer,
  WebhookEndpoint,
} from '../../../api/console-types.ts';
import { useList } from '../../../api/reads.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { counted } from '../../../components/format.ts';
import { ENDPOINT, useEndpointParams, useEndpoints } from '../webhooks/endpoints.tsx';

interface Given {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

function useSending({ id }: WebhookEndpoint) {
  const params = useEndpointParams(id);
  return { params, refreshes: [pathTo(ENDPOINT, { params })] };
}

export function SendTest({ endpoint, onClose }: Given) {
  const { params, refreshes } = useSending(endpoint);
  const form = useForm({ initialValues: { type: '' } });
  const { type } = form.values;
  const types = useEndpoints().data?.event_types.filter((each) => !each.endsWith('*')) ?? [];
  return (
    <FormDialog
      onClose={onClose}
      title="Send test event"
      run={() => post(`${ENDPOINT}/test`, { params, body: type === '' ? {} : { type } })}
      refreshes={refreshes}
      done="Test event queued."
    >
      <p>
        Sends a <span className="mono">webhook.test</span> event to this endpoint only. It is signed like any
        other event and refers to no transaction.
      </p>
      <NativeSelect
        {...form.getInputProps('type')}
        label="Event type to imitate"
        description="Sent in data.stands_for, so that your server knows which event you are testing."
        data={[{ value: '', label: 'None' }, ...types]}
      />
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '1', label: '1 hour' },
  { value: '0', label: 'No overlap (the secret has leaked)' },
];

export function Rotate({
  endpoint,
  onClose,
  onRotated,
}: Given & { readonly onRotated: (made: RotateWebhookKeysAnswer) => void }) {
  const { params, refreshes } = useSending(endpoint);
  const form = useForm({ initialValues: { hours: '24' } });
  const { hours } = form.values;
  return (
    <FormDialog
      onClose={onClose}
      title="Rotate secret"
      run={() => post(`${ENDPOINT}/rotate`, { params, body: { overlap_hours: Number(hours) } })}
      refreshes={refreshes}
      onDone={onRotated}
    >
      <p>
        The endpoint gets a new secret and a new public key.{' '}
        {hours === '0'
          ? 'The old ones stop working immediately. Your server rejects webhooks until it has the new secret; they are retried.'
          : 'The old ones keep signing during the overlap, so your server can switch without missing an event.'}
      </p>
      <NativeSelect {...form.getInputProps('hours')} label="Overlap" data={OVERLAPS} />
    </FormDialog>
  );
}

const HOUR_MS = 3_600_000;

export function Recover({ endpoint, onClose }: Given) {
  const { params, refreshes } = useSending(endpoint);
  const form = useForm({ initialValues: { hours: '24' } });
  const since = () => new Date(Date.now() - Number(form.values.hours) * HOUR_MS).toISOString();
  return (
    <FormDialog
      onClose={onClose}
      title="Recover failed deliveries"
      run={() => recover(params, since())}
      refreshes={refreshes}
      done={queuedText}
    >
      <p>
        Sends failed deliveries, deliveries awaiting a retry, and events missed while the endpoint was
        disabled. Each keeps its webhook-id. Delivered events are not resent.
      </p>
      <NativeSelect
        {...form.getInputProps('hours')}
        label="Since"
        data={[
          { value: '1', label: 'one hour ago' },
          { value: '24', label: '24 hours ago' },
          { value: '168', label: '7 days ago' },
          { value: '720', label: '30 days ago' },
        ]}
      />
    </FormDialog>
  );
}

/** People enter times in Lagos time, which has no daylight saving time. */
const LAGOS_OFFSET_MS = HOUR_MS;
const lagosInput = (atMs: number) => new Date(atMs + LAGOS_OFFSET_MS).toISOString().slice(0, 16);
const fromLagos = (text: string) => new Date(`${text}:00+01:00`).toISOString();

export function Resend({ endpoint, onClose }: Given) {
  const { params, refreshes } = useSending(endpoint);
  const form = useForm({
    initialValues: { from: lagosInput(Date.now() - HOUR_MS), to: lagosInput(Date.now() + 60_000) },
  });
  const { from, to } = form.values;
  return (
    <FormDialog
      onClose={onClose}
      title="Resend a time range"
      confirm="Resend events"
      disabled={from === '' || to === '' || from > to}
      run={() => resend(params, { from: fromLagos(from), to: fromLagos(to) })}
      refreshes={refreshes}
      done={queuedText}
    >
      <p>
        Resends every subscribed event of this period, including delivered ones. Each keeps its webhook-id.
      </p>
      <TextInput {...form.getInputProps('from')} type="datetime-local" label="From (Lagos time)" required />
      <TextInput {...form.getInputProps('to')} type="datetime-local" label="To (Lagos time)" required />
    </FormDialog>
  );
}

export const FILTERS = ['all', 'pending', 'delivered', 'failed'] as const;

export function useDeliveries(endpointId: string, state: (typeof FILTERS)[number]) {
  return useList(`${ENDPOINT}/deliveries`, 'deliveries', {
    params: useEndpointParams(endpointId),
    query: { state: state === 'all' ? undefined : state },
  });
}

type Params = ReturnType<typeof useEndpointParams>;

/** One request processes only a part of a long range. Therefore the request is repeated until nothing is left. */
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
  count === 0 ? 'Nothing to resend.' : `${counted(count, 'delivery', 'deliveries')} queued.`;

function resend(params: Params, range: { readonly from: string; readonly to: string }) {
  return queueAll((cursor) => post(`${ENDPOINT}/redeliver`, { params, body: { ...range, cursor } }));
}

function recover(params: Params, since: string) {
  return queueAll((cursor) => post(`${ENDPOINT}/recover`, { params, body: { since, cursor } }));
}
