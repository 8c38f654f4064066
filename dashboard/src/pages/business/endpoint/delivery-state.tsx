// Where a delivery stands. One that was tried and failed before its next attempt needs a look.
import type { WebhookDelivery } from '../../../api/console-types.ts';
import { words } from '../../../parts/format.ts';
import { State } from '../../../parts/state.tsx';

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
