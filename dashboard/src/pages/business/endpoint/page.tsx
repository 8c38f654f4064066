// One webhook endpoint: its deliveries, updated as they happen, code examples that verify its signatures, and its actions.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { pathTo } from '../../../api/calls.ts';
import type { WebhookEndpoint } from '../../../api/console-types.ts';
import { RowMenu } from '../../../components/data-table.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Columns, Facts, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { Id, Time } from '../../../components/values.tsx';
import { useBusinessLocation, useParam } from '../../../layout/location.ts';
import styles from '../integration.module.css';
import {
  ENDPOINT,
  EndpointState,
  useEndpoint,
  useEndpointParams,
  useMayManage,
  usePolling,
} from '../webhooks/endpoints.tsx';
import { Deliveries } from './deliveries.tsx';
import { type EndpointAction, EndpointDialogs } from './dialogs.tsx';
import { Verify } from './verify.tsx';

export default function EndpointPage() {
  const { base } = useBusinessLocation();
  const id = useParam('endpointId');
  const { endpoint, error, refetch } = useEndpoint(id);
  const [doing, setDoing] = useState<EndpointAction | null>(null);
  usePolling(pathTo(ENDPOINT, { params: useEndpointParams(id) }));
  const mayManage = useMayManage();
  const back = { to: `${base}/webhooks`, label: 'Webhooks' };
  if (endpoint === undefined)
    return (
      <Page title="Endpoint" back={back}>
        {error === null ? <Loading lines={8} /> : <Failure error={error} retry={() => void refetch()} />}
      </Page>
    );
  return (
    <Page
      title={endpoint.url}
      heading={<span className={styles.url}>{endpoint.url}</span>}
      state={<EndpointState endpoint={endpoint} />}
      {...(endpoint.description !== null && { lead: endpoint.description })}
      back={back}
      actions={mayManage && <Actions endpoint={endpoint} onDo={setDoing} />}
    >
      <EndpointNotice endpoint={endpoint} />
      <Columns>
        <div>
          <Deliveries endpoint={endpoint} />
        </div>
        <div>
          <About endpoint={endpoint} />
          <Verify endpoint={endpoint} />
        </div>
      </Columns>
      <EndpointDialogs endpoint={endpoint} doing={doing} onClose={() => setDoing(null)} />
    </Page>
  );
}

interface ActionProps {
  readonly endpoint: WebhookEndpoint;
  readonly onDo: (doing: EndpointAction) => void;
}

function Actions({ endpoint, onDo }: ActionProps) {
  const enabled = endpoint.state === 'enabled';
  return (
    <>
      {enabled ? (
        <Button leftSection={<Icon name="play" size={16} />} onClick={() => onDo('test')}>
          Send test event
        </Button>
      ) : (
        <Button onClick={() => onDo('enable')}>Enable endpoint</Button>
      )}
      <Button
        variant="default"
        leftSection={<Icon name="refresh" size={16} />}
        onClick={() => onDo('rotate')}
      >
        Rotate secret
      </Button>
      <RowMenu
        label="More actions for the endpoint"
        actions={[
          { label: 'Edit endpoint', icon: 'edit', run: () => onDo('edit') },
          ...(enabled
            ? ([
                { label: 'Recover failed deliveries', icon: 'refresh', run: () => onDo('recover') },
                { label: 'Resend a time range', icon: 'swap', run: () => onDo('resend') },
                { label: 'Disable endpoint', icon: 'stop', run: () => onDo('disable') },
              ] as const)
            : []),
          { label: 'Delete endpoint', icon: 'trash', danger: true, run: () => onDo('delete') },
        ]}
      />
    </>
  );
}

function EndpointNotice({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  if (endpoint.state === 'disabled')
    return (
      <Notice tone={endpoint.disabled_reason === 'requested' ? 'info' : 'failed'}>
        This endpoint receives no events. Enable it, then recover failed deliveries to send the events that it
        missed.
      </Notice>
    );
  if (endpoint.failing_since === null) return null;
  return (
    <Notice tone="person">
      Every attempt has failed since <Time at={endpoint.failing_since} />. The endpoint is disabled after five
      days of failures. Open a delivery to see your server’s response.
    </Notice>
  );
}

function About({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { events } = endpoint;
  return (
    <Section title="Endpoint">
      <Facts
        facts={[
          { label: 'Id', value: <Id value={endpoint.id} label="endpoint id" /> },
          { label: 'Events', value: events === null ? 'Every event' : events.join(', ') },
          { label: 'Last success', value: <Time at={endpoint.last_success_at} /> },
          { label: 'Created', value: <Time at={endpoint.created_at} /> },
          { label: 'Public key', value: <Id value={endpoint.public_key} label="public key" keep={8} /> },
        ]}
      />
    </Section>
  );
}
