// What the use-cases of webhooks need, built once: the API and the console manage the same endpoints under the same rules.
import { makeDeliveryLog } from '../../adapters/postgres/webhooks/delivery-log.ts';
import { makeWebhookEndpoints } from '../../adapters/postgres/webhooks/endpoints.ts';
import { judgeWebhookAddress, type SenderSettings } from '../../adapters/webhooks/sender-rules.ts';
import type { WebhookDeps } from '../../app/webhooks/webhook-deps.ts';
import type { Config } from '../../config.ts';
import { renderEvent } from '../../http/routes/render-event.ts';
import type { Foundation } from '../foundation.ts';
import type { Signals } from '../signals.ts';

/** Which addresses webhooks are sent to. */
export function webhookAddressRules(
  config: Config,
): Pick<SenderSettings, 'allowsLoopback' | 'allowedSubnets'> {
  return { allowsLoopback: config.databaseUrl === null, allowedSubnets: config.webhooks.allowedSubnets };
}

export function makeWebhookDeps(
  { clock, entropy, database, eventLog, networks, people, store }: Foundation,
  config: Config,
  { signals, version }: { readonly signals: Pick<Signals, 'webhooksQueued'>; readonly version: string },
): WebhookDeps {
  const rules = webhookAddressRules(config);
  return {
    clock,
    entropy,
    box: people.box,
    endpoints: makeWebhookEndpoints(database),
    deliveries: makeDeliveryLog(database),
    events: eventLog,
    store,
    urlRules: (mode) => ({
      mode,
      allowsLoopback: rules.allowsLoopback,
      judge: (ip) => judgeWebhookAddress(ip, mode, rules),
    }),
    mostEndpoints: config.webhooks.endpointsMax,
    render: (event) => JSON.stringify(renderEvent(event, networks)),
    userAgent: `Sliproad/${version}`,
    queued: signals.webhooksQueued,
  };
}
