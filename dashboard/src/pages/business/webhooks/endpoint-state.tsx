// Whether an endpoint receives: enabled, failing, or disabled and why.
import type { WebhookEndpoint } from '../../../api/console-types.ts';
import { State } from '../../../parts/state.tsx';

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
