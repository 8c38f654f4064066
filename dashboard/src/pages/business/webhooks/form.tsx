// The fields of a webhook endpoint: its URL, its description and its event types.
import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { pathTo } from '../../../api/calls.ts';
import type { AddWebhookEndpointBody, WebhookEndpoint } from '../../../api/console-types.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { useBusinessLocation } from '../../../layout/location.ts';
import styles from '../integration.module.css';
import { ENDPOINTS, useEndpoints } from './endpoints.tsx';

interface FormProps<Answer> {
  readonly title: string;
  readonly confirm?: string;
  readonly endpoint?: WebhookEndpoint;
  readonly onClose: () => void;
  readonly save: (fields: AddWebhookEndpointBody) => Promise<Answer>;
  readonly onDone?: (answer: Answer) => void;
}

export function EndpointForm<Answer>({ endpoint, save, ...dialog }: FormProps<Answer>) {
  const { mode, params } = useBusinessLocation();
  const types = useEndpoints().data?.event_types ?? [];
  const form = useForm({
    initialValues: {
      url: endpoint?.url ?? '',
      description: endpoint?.description ?? '',
      events: endpoint?.events ?? null,
    },
  });
  const { events } = form.values;
  return (
    <FormDialog
      {...dialog}
      form={form}
      errorFields={['url', 'description']}
      disabled={events?.length === 0}
      run={() => save({ ...form.values, events: events ?? [] })}
      refreshes={[pathTo(ENDPOINTS, { params })]}
    >
      <TextInput
        {...form.getInputProps('url')}
        label="URL"
        description={mode === 'live' ? 'https, on port 443.' : 'https, or http in test mode.'}
        placeholder="https://shop.example.com/webhooks"
        type="url"
        required
        data-autofocus
      />
      <TextInput {...form.getInputProps('description')} label="Description" maxLength={200} />
      <Subscription types={types} events={events} onChange={(given) => form.setValues({ events: given })} />
    </FormDialog>
  );
}

interface SubscriptionProps {
  readonly types: readonly string[];
  /** Null means that the endpoint receives every event. */
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
          <Radio value="all" label="Every event" description="Including types added later." />
          <Radio value="some" label="Selected types" />
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
