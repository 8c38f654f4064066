// The deliveries of a webhook endpoint, newest first. A filter selects their state.
import { SegmentedControl } from '@mantine/core';
import type { WebhookDelivery, WebhookEndpoint } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { words } from '../../../components/format.ts';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago } from '../../../components/values.tsx';
import { useBusinessLocation, useFilters } from '../../../layout/location.ts';
import styles from '../integration.module.css';
import { DeliveryState } from '../webhooks/endpoints.tsx';
import { FILTERS, useDeliveries } from './sending.tsx';

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { title: 'Event', cell: ({ event_type }) => <span className={styles.cut}>{event_type}</span> },
  { title: 'State', cell: (delivery) => <DeliveryState delivery={delivery} /> },
  { title: 'Attempts', align: 'right', from: 'sm', cell: ({ attempts_made }) => attempts_made },
  { title: 'Queued', align: 'right', from: 'sm', cell: ({ created_at }) => <Ago at={created_at} /> },
];

export function Deliveries({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { base } = useBusinessLocation();
  const { filters, set } = useFilters();
  const state = FILTERS.find((each) => each === filters.state) ?? 'all';
  const list = useDeliveries(endpoint.id, state);
  return (
    <Section
      bare
      title="Deliveries"
      actions={
        <SegmentedControl
          aria-label="Filter deliveries by state"
          size="xs"
          value={state}
          onChange={(value) => set({ state: value === 'all' ? '' : value })}
          data={FILTERS.map((value) => ({ value, label: words(value) }))}
        />
      }
    >
      <DataTable
        caption="Endpoint deliveries"
        columns={COLUMNS}
        {...list}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `${base}/webhooks/deliveries/${id}`}
        empty={
          <Empty icon="webhook" title={state === 'all' ? 'No deliveries yet' : `No ${state} deliveries`}>
            {state === 'all'
              ? 'Each event of your transactions creates a delivery. Send a test event to see the first one.'
              : 'Choose All to see deliveries in other states.'}
          </Empty>
        }
      />
    </Section>
  );
}
