// What an endpoint is asked to send: a test event, a range of time again, what failed; and new keys to sign with.
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AddWebhookEndpointAnswer, WebhookEndpoint } from '../../../api/console-types.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { useEndpoints } from '../webhooks/data.ts';
import { useRecover, useResend, useRotate, useSendTest } from './data.ts';

interface Given {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

export function SendTest({ endpoint, onClose }: Given) {
  const [type, setType] = useState('');
  const types = useEndpoints().data?.event_types.filter((each) => !each.endsWith('*')) ?? [];
  const send = useSendTest(endpoint.id, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Send test event"
      confirm="Send test event"
      busy={send.isPending}
      error={send.error}
      onConfirm={() => send.mutate(type)}
    >
      <p>
        A <span className="mono">webhook.test</span> event is sent to this endpoint alone. It is signed like
        any other and names no transaction.
      </p>
      <NativeSelect
        label="It stands for"
        description="Repeated in data.stands_for, so that your program can tell what you tried."
        value={type}
        onChange={(event) => setType(event.currentTarget.value)}
        data={[{ value: '', label: 'Nothing in particular' }, ...types]}
      />
    </ConfirmDialog>
  );
}

const OVERLAPS = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '1', label: '1 hour' },
  { value: '0', label: 'No overlap: the secret has leaked' },
];

export function Rotate({
  endpoint,
  onClose,
  onRotated,
}: Given & { readonly onRotated: (made: AddWebhookEndpointAnswer) => void }) {
  const [hours, setHours] = useState('24');
  const rotate = useRotate(endpoint.id, onRotated);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Rotate secret"
      confirm="Rotate secret"
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(Number(hours))}
    >
      <p>
        The endpoint gets a new secret and a new public key.{' '}
        {hours === '0'
          ? 'The old ones end at once: until your program has the new secret, it refuses webhooks, and they are tried again later.'
          : 'The old ones sign beside them during the overlap, so that your program can change over without missing an event.'}
      </p>
      <NativeSelect
        label="Overlap"
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        data={OVERLAPS}
      />
    </ConfirmDialog>
  );
}

const HOUR_MS = 3_600_000;

export function Recover({ endpoint, onClose }: Given) {
  const [hours, setHours] = useState('24');
  const recover = useRecover(endpoint.id, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Recover failed deliveries"
      confirm="Recover failed deliveries"
      busy={recover.isPending}
      error={recover.error}
      onConfirm={() => recover.mutate(new Date(Date.now() - Number(hours) * HOUR_MS).toISOString())}
    >
      <p>
        What failed, what waits for its next attempt, and what was never queued because the endpoint was
        disabled is sent now, with the same webhook-id. What was delivered is not sent again.
      </p>
      <NativeSelect
        label="Since"
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
        data={[
          { value: '1', label: 'one hour ago' },
          { value: '24', label: '24 hours ago' },
          { value: '168', label: '7 days ago' },
          { value: '720', label: '30 days ago' },
        ]}
      />
    </ConfirmDialog>
  );
}

/** Times of forms are in Lagos time, which has no summer time. */
const LAGOS_OFFSET_MS = HOUR_MS;
const lagosInput = (atMs: number) => new Date(atMs + LAGOS_OFFSET_MS).toISOString().slice(0, 16);
const fromLagos = (text: string) => new Date(`${text}:00+01:00`).toISOString();

export function Resend({ endpoint, onClose }: Given) {
  const [from, setFrom] = useState(() => lagosInput(Date.now() - HOUR_MS));
  const [to, setTo] = useState(() => lagosInput(Date.now() + 60_000));
  const resend = useResend(endpoint.id, onClose);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Send a time range again"
      confirm="Send range again"
      busy={resend.isPending}
      error={resend.error}
      disabled={from === '' || to === '' || from > to}
      onConfirm={() => resend.mutate({ from: fromLagos(from), to: fromLagos(to) })}
    >
      <p>
        Every event of this time that the endpoint subscribes to is sent again, also those that were
        delivered. Each keeps its webhook-id.
      </p>
      <TextInput
        type="datetime-local"
        label="From (Lagos time)"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        required
      />
      <TextInput
        type="datetime-local"
        label="To (Lagos time)"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        required
      />
    </ConfirmDialog>
  );
}
