// The webhook endpoints of one mode, with their URLs and the success of their deliveries.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { AddWebhookEndpointAnswer, WebhookEndpoint } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { SecretOnce } from '../../../components/dialogs.tsx';
import { Icon } from '../../../components/icon.tsx';
import { useGo } from '../../../components/link.tsx';
import { Empty, Page } from '../../../components/page.tsx';
import { Ago } from '../../../components/values.tsx';
import { useBusinessLocation } from '../../../layout/location.ts';
import styles from '../integration.module.css';
import { ENDPOINTS, EndpointState, useEndpoints, useMayManage } from './endpoints.tsx';
import { EndpointForm } from './form.tsx';

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { title: 'URL', cell: ({ url }) => <span className={styles.cut}>{url}</span> },
  {
    title: 'Description',
    from: 'lg',
    cell: ({ description }) => description ?? <span className="quiet">—</span>,
  },
  { title: 'Events', from: 'md', cell: ({ events }) => subscribed(events) },
  { title: 'Last success', from: 'sm', cell: ({ last_success_at }) => <Ago at={last_success_at} /> },
  { title: 'State', cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
];

export default function WebhooksPage() {
  const { mode, base, params } = useBusinessLocation();
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<AddWebhookEndpointAnswer | null>(null);
  const list = useEndpoints();
  const go = useGo();
  const add = useMayManage() && (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
      Add endpoint
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      lead={`Signed events about your ${mode} transactions are sent to these URLs and retried until they return 2xx.`}
      actions={add}
    >
      <DataTable
        caption={`Webhook endpoints in ${mode} mode`}
        columns={COLUMNS}
        rows={list.data?.endpoints}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `${base}/webhooks/${id}`}
        error={list.error}
        retry={() => void list.refetch()}
        empty={
          <Empty icon="webhook" title="No endpoints yet" action={add}>
            Add a URL of your server to receive events. To test on your own machine:{' '}
            <span className="mono">bin/sliproad listen --forward-to localhost:3000/webhooks</span>
          </Empty>
        }
      />
      {adding && (
        <EndpointForm
          title="Add endpoint"
          onClose={() => setAdding(false)}
          save={(body) => post(ENDPOINTS, { params, body })}
          onDone={(added) => {
            setAdding(false);
            setMade(added);
          }}
        />
      )}
      <SecretOnce
        title="Endpoint secret"
        secret={made?.secret ?? null}
        onStored={() => {
          setMade(null);
          go(`${base}/webhooks/${made!.endpoint.id}`);
        }}
      >
        <p>
          Your server uses it to verify that webhooks come from this service. Store it with your secret key.
        </p>
      </SecretOnce>
    </Page>
  );
}

function subscribed(events: readonly string[] | null): string {
  if (events === null) return 'Every event';
  return events.length === 1 ? events[0]! : `${events.length} types`;
}
