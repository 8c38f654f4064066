// One webhook delivery: its request, the response to each attempt, and the button that sends the delivery again.
import { Button } from '@mantine/core';
import { pathTo, post } from '../../../api/calls.ts';
import type { DeliveryDetail } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Icon } from '../../../components/icon.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Columns, Empty, Facts, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { Id, Time } from '../../../components/values.tsx';
import { useBusinessLocation, useParam } from '../../../layout/location.ts';
import styles from '../integration.module.css';
import { DeliveryState, useEndpoint, useMayManage, usePolling, WEBHOOKS } from '../webhooks/endpoints.tsx';
import { Attempts } from './attempts.tsx';

export default function DeliveryPage() {
  const { base } = useBusinessLocation();
  const id = useParam('deliveryId');
  const { delivery, error, refetch } = useDelivery(id);
  usePolling(useDeliveryPath(id));
  const redeliver = useRedeliver(id);
  const mayManage = useMayManage();
  if (delivery === undefined)
    return (
      <Page title="Delivery" back={{ to: `${base}/webhooks`, label: 'Webhooks' }}>
        {error === null ? <Loading lines={8} /> : <Failure error={error} retry={() => void refetch()} />}
      </Page>
    );
  return (
    <Page
      title={`Delivery of ${delivery.event_type}`}
      heading={delivery.event_type}
      state={<DeliveryState delivery={delivery} />}
      back={{ to: `${base}/webhooks/${delivery.endpoint_id}`, label: 'Endpoint' }}
      actions={
        mayManage && (
          <Button
            leftSection={<Icon name="refresh" size={16} />}
            loading={redeliver.isPending}
            onClick={() => redeliver.mutate()}
          >
            Resend delivery
          </Button>
        )
      }
    >
      <Columns>
        <div>
          <Section title="Attempts">
            <Attempts delivery={delivery} />
          </Section>
          <Request delivery={delivery} />
        </div>
        <div>
          <About delivery={delivery} />
        </div>
      </Columns>
    </Page>
  );
}

function About({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { base } = useBusinessLocation();
  const { endpoint } = useEndpoint(delivery.endpoint_id);
  const transaction = transactionOf(delivery);
  return (
    <Section title="Delivery">
      <Facts
        facts={[
          { label: 'Id', value: <Id value={delivery.id} label="delivery id" /> },
          { label: 'Event', value: <Id value={delivery.event_id} label="event id" /> },
          {
            label: 'Endpoint',
            value: (
              <TextLink to={`${base}/webhooks/${delivery.endpoint_id}`} className={styles.url ?? ''}>
                {endpoint?.url ?? delivery.endpoint_id}
              </TextLink>
            ),
          },
          transaction !== null && {
            label: 'Transaction',
            value: <TextLink to={`${base}/transactions/${transaction}`}>Open transaction</TextLink>,
          },
          { label: 'Queued', value: <Time at={delivery.created_at} /> },
          delivery.next_attempt_at !== null && {
            label: 'Next attempt',
            value: <Time at={delivery.next_attempt_at} />,
          },
        ]}
      />
    </Section>
  );
}

function Request({ delivery: { request } }: { readonly delivery: DeliveryDetail }) {
  return (
    <Section title="Request">
      {request === null ? (
        <Empty title="Event no longer stored">The request cannot be shown.</Empty>
      ) : (
        <div className="column flush">
          <CodeBlock
            title="Headers (without signature)"
            code={Object.entries(request.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
            label="headers"
          />
          <CodeBlock title="Body" code={pretty(request.body)} label="body" />
        </div>
      )}
    </Section>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Null means that the event is not about a transaction. */
function transactionOf({ request }: DeliveryDetail): string | null {
  return /"transaction_id":"(txn_[0-9a-z]+)"/.exec(request?.body ?? '')?.[1] ?? null;
}

const DELIVERY = `${WEBHOOKS}/deliveries/{delivery_id}` as const;

function useDeliveryPath(id: string): string {
  return pathTo(DELIVERY, { params: useDeliveryParams(id) });
}

function useDeliveryParams(id: string) {
  return { ...useBusinessLocation().params, delivery_id: id };
}

function useDelivery(id: string) {
  const read = useRead(DELIVERY, { params: useDeliveryParams(id) });
  return { ...read, delivery: read.data?.delivery };
}

function useRedeliver(id: string) {
  const params = useDeliveryParams(id);
  return useAction(() => post(`${DELIVERY}/redeliver`, { params }), {
    refreshes: [pathTo(`${WEBHOOKS}/endpoints`, { params }), pathTo(DELIVERY, { params })],
    done: 'Delivery queued again with the same webhook-id.',
  });
}
