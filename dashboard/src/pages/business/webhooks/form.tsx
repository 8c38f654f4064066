// The fields of an endpoint: its URL, what it is for, and which events it receives.
import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AddWebhookEndpointBody, WebhookEndpoint } from '../../../api/console-types.ts';
import { mistakeOf } from '../../../api/failure.ts';
import { useBusinessPlace } from '../../../frame/place.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { beyondFields } from '../form-error.ts';
import styles from '../integration.module.css';

interface FormProps {
  readonly title: string;
  readonly confirm: string;
  /** Types of events, and groups of them. */
  readonly types: readonly string[];
  readonly endpoint?: WebhookEndpoint;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onSave: (fields: AddWebhookEndpointBody) => void;
}

export function EndpointForm({ title, confirm, types, endpoint, busy, error, onClose, onSave }: FormProps) {
  const { mode } = useBusinessPlace();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<readonly string[] | null>(endpoint?.events ?? null);
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={title}
      confirm={confirm}
      busy={busy}
      error={beyondFields(error, 'url', 'description')}
      disabled={events?.length === 0}
      onConfirm={() => onSave({ url, description, events: events ?? [] })}
    >
      <TextInput
        label="URL"
        description={mode === 'live' ? 'https, on port 443.' : 'https, or http in test mode.'}
        placeholder="https://shop.example.com/webhooks"
        type="url"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={mistakeOf(error, 'url')}
        required
        data-autofocus
      />
      <TextInput
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={mistakeOf(error, 'description')}
        maxLength={200}
      />
      <Subscription types={types} events={events} onChange={setEvents} />
    </ConfirmDialog>
  );
}

interface SubscriptionProps {
  readonly types: readonly string[];
  /** Null: every event. */
  readonly events: readonly string[] | null;
  readonly onChange: (events: readonly string[] | null) => void;
}

function Subscription({ types, events, onChange }: SubscriptionProps) {
  return (
    <>
      <Radio.Group
        label="Events"
        value={events === null ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? null : [])}
      >
        <Stack gap={8} mt={8}>
          <Radio value="all" label="Every event" description="Also types that are added later." />
          <Radio value="some" label="Only the types I choose" />
        </Stack>
      </Radio.Group>
      {events !== null && (
        <Checkbox.Group label="Types" value={[...events]} onChange={onChange}>
          <div className={styles.choices}>
            {types.map((type) => (
              <Checkbox key={type} value={type} label={type} size="xs" />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  );
}
