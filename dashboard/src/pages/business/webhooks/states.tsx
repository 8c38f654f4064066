// Where an endpoint and a delivery stand.
import type { WebhookDelivery, WebhookEndpoint } from '../../../api/console-types.ts';
import { words } from '../../../parts/format.ts';
import { State } from '../../../parts/values.tsx';

const DISABLED = {
  gone: 'Disabled: it answered 410',
  failing: 'Disabled: failed for five days',
  requested: 'Disabled',
} as const;

type Shown = Pick<WebhookEndpoint, 'state' | 'disabled_reason' | 'failing_since'>;

export function EndpointState({ endpoint }: { readonly endpoint: Shown }) {
  const { state, disabled_reason: reason, failing_since } = endpoint;
  if (state === 'disabled')
    return (
      <State
        state="disabled"
        tone={reason === 'requested' ? 'waiting' : 'failed'}
        label={DISABLED[reason ?? 'requested']}
      />
    );
  return failing_since === null ? <State state="enabled" /> : <State state="failing" tone="person" />;
}

export function DeliveryState({
  delivery: { state, reason, attempts_made },
}: {
  readonly delivery: WebhookDelivery;
}) {
  if (state === 'pending' && attempts_made > 0)
    return <State state="retrying" tone="person" label="Retrying" />;
  if (state === 'failed' && reason !== null)
    return <State state="failed" label={`Failed: ${words(reason).toLowerCase()}`} />;
  return <State state={state} />;
}
