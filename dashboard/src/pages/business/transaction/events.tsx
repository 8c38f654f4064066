// The events of a transaction and their webhook deliveries: everything that the systems of the business were informed about.
import { Button } from '@mantine/core';
import type { TransactionDelivery, TransactionEvent } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { useGo } from '../../../components/link.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, State } from '../../../components/values.tsx';
import { useBusinessLocation } from '../../../layout/location.ts';
import { type TransactionParams, useDeliveries, useEvents } from './data.ts';
import styles from './transaction.module.css';

const EVENT_COLUMNS: readonly Column<TransactionEvent>[] = [
  { title: 'Event', cell: ({ type }) => <span className="mono">{type}</span> },
  { title: 'Time', align: 'right', cell: ({ timestamp }) => <Ago at={timestamp} /> },
];

const DELIVERY_COLUMNS: readonly Column<TransactionDelivery>[] = [
  { title: 'Event', cell: ({ event_type }) => <span className="mono">{event_type}</span> },
  { title: 'State', cell: ({ state }) => <State state={state} /> },
  { title: 'Endpoint', from: 'lg', cell: ({ url }) => <span className={styles.url}>{url}</span> },
  { title: 'Attempts', align: 'right', from: 'md', cell: ({ attempts_made }) => attempts_made },
];

export function Events({ of }: { readonly of: TransactionParams }) {
  const { data, error, refetch } = useEvents(of);
  return (
    <Section title="Events" bare>
      <DataTable
        caption="Events of the transaction, newest first"
        columns={EVENT_COLUMNS}
        rows={data?.events}
        rowKey={({ id }) => id}
        error={error}
        retry={() => void refetch()}
        empty={<Empty title="No events yet">The first one appears within a second.</Empty>}
      />
    </Section>
  );
}

export function Deliveries({ of }: { readonly of: TransactionParams }) {
  const { base } = useBusinessLocation();
  const go = useGo();
  const { data, error, refetch } = useDeliveries(of);
  return (
    <Section title="Webhook deliveries" bare>
      <DataTable
        caption="Webhook deliveries of the transaction, newest first"
        columns={DELIVERY_COLUMNS}
        rows={data?.deliveries}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `${base}/webhooks/deliveries/${id}`}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty
            icon="webhook"
            title="No deliveries"
            action={
              <Button variant="default" size="xs" onClick={() => go(`${base}/webhooks`)}>
                Add endpoint
              </Button>
            }
          >
            An endpoint receives each event of this transaction.
          </Empty>
        }
      />
    </Section>
  );
}
