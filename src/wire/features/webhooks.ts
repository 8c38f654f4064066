// Opens webhooks: the routes that manage them, the fan-out of events to endpoints, and the delivery.
import { makeDeliveryLog } from '../../adapters/postgres/webhooks/delivery-log.ts';
import { makeWebhookEndpoints } from '../../adapters/postgres/webhooks/endpoints.ts';
import { makeDeliveryFanOut } from '../../adapters/postgres/webhooks/fan-out.ts';
import { makeDeliveryQueue } from '../../adapters/postgres/webhooks/queue.ts';
import { makeWebhookSender } from '../../adapters/webhooks/sender.ts';
import { judgeWebhookAddress, type SenderSettings } from '../../adapters/webhooks/sender-rules.ts';
import type { DeliverWebhooksDeps } from '../../app/webhooks/deliver-due-webhooks.ts';
import { fanOutEvents } from '../../app/webhooks/fan-out-events.ts';
import type { WebhookDeps } from '../../app/webhooks/webhook-deps.ts';
import type { Config } from '../../config.ts';
import { WIDEST_WINDOW } from '../../domain/webhooks/schedule.ts';
import { renderEvent } from '../../http/routes/render-event.ts';
import { addWebhookRoutes } from '../../http/routes/webhooks.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import { startWebhookDelivery } from '../../workers/deliver-webhooks.ts';
import { startFanOut } from '../../workers/fan-out-events.ts';
import {
  startEndingStranded,
  startForgettingDeliveries,
  startWebhookReport,
  type WebhookUpkeepDeps,
} from '../../workers/webhook-upkeep.ts';
import type { Feature, ServiceParts } from '../feature.ts';
import type { Foundation } from '../foundation.ts';
import type { Signals } from '../signals.ts';

// The dependencies of the webhook use cases. They are built once, because the API and the console manage the same endpoints
// under the same rules.

function webhookAddressRules(config: Config): Pick<SenderSettings, 'allowsLoopback' | 'allowedSubnets'> {
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

const DAY_MS = 24 * 3_600_000;
/**
 * The maximum number of delivery attempts that one process has in progress. Each attempt needs a connection and memory for its
 * response.
 */
const MOST_AT_ONCE = 2_048;

export async function webhooksFeature(parts: ServiceParts): Promise<Feature> {
  const { config, log, clock, entropy, eventLog, database, metrics, signals, webhooks } = parts;
  const { timeoutMs, leaseMs, keepDays } = config.webhooks;
  const onError = (error: Error) => {
    if (error instanceof StoreUnavailable)
      log.debug({ why: error.message }, 'webhooks wait for the database');
    else log.error({ err: error }, 'webhooks');
  };
  const sender = makeWebhookSender({
    ...webhookAddressRules(config),
    ...{ timeoutMs, connectionsPerEndpoint: WIDEST_WINDOW },
  });
  const queue = makeDeliveryQueue(database);
  const delivering = startWebhookDelivery({
    deps: { ...webhooks, queue, sender, leaseMs, onAttempt: makeAttemptCounter(parts), onError },
    mostAtOnce: MOST_AT_ONCE,
  });
  const fanOut = { fanOut: makeDeliveryFanOut(database), events: eventLog, clock, entropy };
  // The first fan-out stores its starting position, the current end of the event log, before a business can add the first
  // endpoint.
  await fanOutEvents(fanOut);
  const spreading = startFanOut(fanOut, delivering.wake, onError);
  signals.listen({
    accepted: spreading.wake,
    committed: spreading.wake,
    webhooksQueued: () => {
      spreading.wake();
      delivering.wake();
    },
  });
  const keeping: WebhookUpkeepDeps = {
    ...{ queue, clock, instruments: metrics, keepMs: keepDays * DAY_MS },
    ...{ underWay: delivering.underWay, onError },
  };
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => addWebhookRoutes(app, { ...webhooks, authenticate }),
      },
    ],
    loops: [
      ...[spreading, delivering, startEndingStranded(keeping), startForgettingDeliveries(keeping)],
      startWebhookReport(keeping),
    ],
    close: () => sender.close(),
  };
}

function makeAttemptCounter({ metrics }: ServiceParts): DeliverWebhooksDeps['onAttempt'] {
  const set = metrics.totals(
    'sliproad_webhook_attempts_total',
    'Webhook delivery attempts of this process, by outcome.',
    ['outcome'],
  );
  const totals = new Map<string, number>();
  return (outcome) => {
    totals.set(outcome, (totals.get(outcome) ?? 0) + 1);
    set([...totals].map(([name, value]) => ({ labels: { outcome: name }, value })));
  };
}
