// Webhooks on a separate database, with a clock that the test moves and a scripted sender. The use cases run as in a process,
// turn by turn.
import { acceptBatch } from '../../../src/adapters/postgres/accept/accept-batch.ts';
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { makeEventLog } from '../../../src/adapters/postgres/events/event-log.ts';
import { makePostgresStore } from '../../../src/adapters/postgres/store.ts';
import { makeDeliveryLog } from '../../../src/adapters/postgres/webhooks/delivery-log.ts';
import { makeWebhookEndpoints } from '../../../src/adapters/postgres/webhooks/endpoints.ts';
import { makeDeliveryFanOut } from '../../../src/adapters/postgres/webhooks/fan-out.ts';
import { makeDeliveryQueue } from '../../../src/adapters/postgres/webhooks/queue.ts';
import { makeSecretBox } from '../../../src/adapters/secrets/secret-box.ts';
import { makeSystemEntropy } from '../../../src/adapters/system.ts';
import {
  type DeliverWebhooksDeps,
  deliverDueWebhooks,
} from '../../../src/app/webhooks/deliver-due-webhooks.ts';
import { type DeliveryWindows, makeDeliveryWindows } from '../../../src/app/webhooks/delivery-windows.ts';
import { makeEndpointKeys } from '../../../src/app/webhooks/endpoint-keys.ts';
import { type FanOutDeps, fanOutEvents } from '../../../src/app/webhooks/fan-out-events.ts';
import { eventId } from '../../../src/domain/events/event.ts';
import type { Endpoint } from '../../../src/domain/webhooks/endpoint.ts';
import type { WebhookOutcome, WebhookRequest } from '../../../src/ports/webhooks.ts';
import {
  acceptance,
  BUSINESS,
  databaseWithKeys,
  freshId,
  KEY,
  NOW,
  SCOPE,
} from '../../http/store-fixtures.ts';
import { untilReadable } from '../horizon.ts';

export const LEASE_MS = 30_000;
export const OK: WebhookOutcome = answered(200);

export function answered(status: number, retryAfterMs: number | null = null): WebhookOutcome {
  return { kind: 'answered', status, retryAfterMs, answer: 'noted', durationMs: 3 };
}

export type Receiver = (request: WebhookRequest) => WebhookOutcome | Promise<WebhookOutcome>;

export interface WebhookStage extends Awaited<ReturnType<typeof openStage>> {}

async function openStage() {
  const { url, database } = await databaseWithKeys();
  const clock = { nowMs: NOW, now: () => clock.nowMs };
  const entropy = makeSystemEntropy();
  const bytes = (fill: number) => Buffer.alloc(32, fill);
  const box = makeSecretBox({ keys: [{ id: 'one', bytes: bytes(1) }], fingerprintKey: bytes(2) });
  const events = makeEventLog(database);
  const endpoints = makeWebhookEndpoints(database);
  const fanOut = makeDeliveryFanOut(database);
  return {
    ...{ url, database, clock, entropy, box, events, endpoints, fanOut },
    store: makePostgresStore(database),
    queue: makeDeliveryQueue(database),
    deliveries: makeDeliveryLog(database),
    errors: [] as Error[],
  };
}

export async function webhookStage(): Promise<WebhookStage> {
  const stage = await openStage();
  await spread(stage);
  return stage;
}

export async function addTestEndpoint(
  stage: WebhookStage,
  changes: Partial<Pick<Endpoint, 'url' | 'events'>> = {},
): Promise<string> {
  const id = freshId('whe');
  const { keys } = makeEndpointKeys(stage, id, id);
  const endpoint = { id, ...SCOPE, url: 'https://shop.example.com/hooks', events: null, description: null };
  const doing = { actor: KEY, atMs: stage.clock.now() };
  await stage.endpoints.add({ ...endpoint, ...changes }, keys, 1_000, doing);
  return id;
}

export async function acceptSome(stage: WebhookStage, count: number): Promise<string[]> {
  const accepted = Array.from({ length: count }, () => acceptance());
  await acceptBatch(stage.database, accepted);
  await untilReadable(stage.database);
  return accepted.map(({ transaction }) =>
    eventId({ transactionId: transaction.id, version: 1, isRefund: false }),
  );
}

export function fanOutDeps({ fanOut, events, clock, entropy }: WebhookStage): FanOutDeps {
  return { fanOut, events, clock, entropy };
}

export async function spread(stage: WebhookStage): Promise<number> {
  await untilReadable(stage.database);
  let made = 0;
  for (let more = true; more; ) {
    const done = await fanOutEvents(fanOutDeps(stage));
    made += done.deliveries;
    more = done.more;
  }
  return made;
}

export function deliverDeps(stage: WebhookStage, receive: Receiver): DeliverWebhooksDeps {
  const { queue, events, box, clock, entropy, errors } = stage;
  return {
    ...{ queue, events, box, clock, entropy },
    sender: { send: async (request) => receive(request), forget: () => undefined },
    render: ({ id, type }) => JSON.stringify({ id, type }),
    userAgent: 'Sliproad/test',
    leaseMs: LEASE_MS,
    onAttempt: () => undefined,
    onError: (error) => void errors.push(error),
  };
}

export async function sendAll(
  stage: WebhookStage,
  receive: Receiver,
  windows: DeliveryWindows = makeDeliveryWindows(2_048),
): Promise<number> {
  const deps = deliverDeps(stage, receive);
  let made = 0;
  for (;;) {
    const { claimed, finished } = await deliverDueWebhooks(deps, windows);
    await finished;
    if (claimed === 0) return made;
    made += claimed;
  }
}

export async function deliveriesOf(stage: WebhookStage, endpointId: string) {
  return stage.deliveries.list(endpointId, { limit: 1_000 });
}

export async function rowsOf(database: Database, text: string): Promise<Record<string, unknown>[]> {
  return (await database.query({ text })).rows;
}

export { BUSINESS };
