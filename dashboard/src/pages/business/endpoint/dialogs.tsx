// The actions on a webhook endpoint, and the dialog of each action.
import { useState } from 'react';
import { del, pathTo, put } from '../../../api/calls.ts';
import type { WebhookEndpoint } from '../../../api/console-types.ts';
import { FormDialog, SecretOnce } from '../../../components/dialogs.tsx';
import { useGo } from '../../../components/link.tsx';
import { useBusinessLocation } from '../../../layout/location.ts';
import { ENDPOINT, ENDPOINTS, useEndpointParams } from '../webhooks/endpoints.tsx';
import { EndpointForm } from '../webhooks/form.tsx';
import { Recover, Resend, Rotate, SendTest } from './sending.tsx';

export type EndpointAction =
  | 'test'
  | 'rotate'
  | 'edit'
  | 'enable'
  | 'disable'
  | 'delete'
  | 'resend'
  | 'recover';

export interface EndpointDialogProps {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
}

interface Props extends EndpointDialogProps {
  readonly doing: EndpointAction | null;
}

export function EndpointDialogs({ endpoint, doing, onClose }: Props) {
  const [secret, setSecret] = useState<string | null>(null);
  const given = { endpoint, onClose };
  return (
    <>
      {doing === 'test' && <SendTest {...given} />}
      {doing === 'resend' && <Resend {...given} />}
      {doing === 'recover' && <Recover {...given} />}
      {doing === 'edit' && <Edit {...given} />}
      {(doing === 'enable' || doing === 'disable') && <Switch {...given} enable={doing === 'enable'} />}
      {doing === 'delete' && <Delete {...given} />}
      {doing === 'rotate' && (
        <Rotate
          {...given}
          onRotated={(made) => {
            onClose();
            setSecret(made.secret);
          }}
        />
      )}
      <SecretOnce title="New endpoint secret" secret={secret} onStored={() => setSecret(null)}>
        <p>
          Add it to your server. If you chose an overlap, webhooks are signed with both secrets until it ends.
        </p>
      </SecretOnce>
    </>
  );
}

function Edit({ endpoint, onClose }: EndpointDialogProps) {
  const params = useEndpointParams(endpoint.id);
  return (
    <EndpointForm
      title="Edit endpoint"
      confirm="Save endpoint"
      endpoint={endpoint}
      onClose={onClose}
      save={(body) => put(ENDPOINT, { params, body })}
    />
  );
}

function Switch({ endpoint, onClose, enable }: EndpointDialogProps & { readonly enable: boolean }) {
  const params = useEndpointParams(endpoint.id);
  return (
    <FormDialog
      onClose={onClose}
      title={enable ? 'Enable endpoint' : 'Disable endpoint'}
      run={() => put(ENDPOINT, { params, body: { state: enable ? 'enabled' : 'disabled' } })}
      refreshes={[pathTo(ENDPOINTS, { params })]}
    >
      <p>
        {enable
          ? 'It receives new events from now on. To send the events that it missed, recover failed deliveries afterwards.'
          : 'It stops receiving events, and its pending deliveries fail. You can recover them after you enable it again.'}
      </p>
    </FormDialog>
  );
}

function Delete({ endpoint, onClose }: EndpointDialogProps) {
  const { base } = useBusinessLocation();
  const go = useGo();
  const params = useEndpointParams(endpoint.id);
  return (
    <FormDialog
      onClose={onClose}
      title="Delete endpoint"
      danger
      run={() => del(ENDPOINT, { params })}
      refreshes={[pathTo(ENDPOINTS, { params })]}
      done="Endpoint deleted."
      onDone={() => go(`${base}/webhooks`)}
    >
      <p>
        {endpoint.url} stops receiving events. Its keys are deleted, and its deliveries are no longer shown.
        Your transactions and their events remain.
      </p>
    </FormDialog>
  );
}
