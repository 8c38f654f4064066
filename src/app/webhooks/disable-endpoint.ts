// Disables an endpoint that returned 410 or has failed for days. The service makes an event and sends a mail to the people who
// manage the webhooks of the business.
import { type Endpoint, showEndpoint } from '../../domain/webhooks/endpoint.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { DeliveryQueue, EndpointDisabling } from '../../ports/webhooks.ts';
import { newId } from './webhook-deps.ts';

export interface DisableDeps {
  readonly queue: Pick<DeliveryQueue, 'disable' | 'caretakers'>;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

const REASON_TEXTS: Readonly<Record<EndpointDisabling['reason'], string>> = {
  gone: 'It answered with status 410, which means that it is permanently gone.',
  failing: 'Every delivery attempt has failed for five days.',
};

export async function disableEndpoint(
  deps: DisableDeps,
  endpoint: Endpoint,
  reason: EndpointDisabling['reason'],
): Promise<boolean> {
  const atMs = deps.clock.now();
  const { id, businessId, mode } = endpoint;
  const disabled: Endpoint = { ...endpoint, state: 'disabled', disabledReason: reason, updatedAtMs: atMs };
  const recipients = await deps.queue.caretakers(businessId);
  return deps.queue.disable({
    endpoint,
    reason,
    atMs,
    event: {
      ...{ id: newId(deps, 'evt'), businessId, mode, type: 'webhook_endpoint.disabled', atMs },
      data: { endpoint: showEndpoint(disabled), reason },
      endpointId: null,
    },
    mails: recipients.map((recipient) => ({
      ...{ id: newId(deps, 'mal'), about: id, recipient, createdAtMs: atMs, linkEndsAtMs: null },
      ...endpointDisabledText(endpoint, reason),
    })),
  });
}

function endpointDisabledText({ id, url, mode }: Endpoint, reason: EndpointDisabling['reason']) {
  const { host } = new URL(url);
  return {
    subject: `Webhooks to ${host} are disabled`,
    body: `${[
      `The webhook endpoint ${id} (${mode} mode, host ${host}) is disabled. ${REASON_TEXTS[reason]}`,
      'It receives no events until you enable it again. No event is lost: all remain in the list of events.',
      `Once the receiver works again, enable the endpoint (PATCH /webhooks/v1/endpoints/${id} with {"state": "enabled"}) and request the missed events (POST /webhooks/v1/endpoints/${id}/recover).`,
    ].join('\n\n')}\n`,
  };
}
