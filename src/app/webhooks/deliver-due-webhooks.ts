// Delivers due webhooks. One commit leases a delivery and counts its attempt. Then the service sends the delivery and stores
// the outcome. If the process dies in between, the lease ends, and the delivery is sent again with the same webhook-id.
import type { BusinessEvent } from '../../domain/events/event.ts';
import type { DeliveryAttempt } from '../../domain/webhooks/delivery.ts';
import { hasFailedTooLong } from '../../domain/webhooks/endpoint.ts';
import {
  decideNextStep,
  FIRST_WINDOW,
  isSuccessfulAttempt,
  MOST_ATTEMPTS,
} from '../../domain/webhooks/schedule.ts';
import { signatureHeader, type WebhookSecrets } from '../../domain/webhooks/signature.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/events.ts';
import type { SecretBox } from '../../ports/people/credentials.ts';
import type {
  DeliveryQueue,
  DeliveryTarget,
  LeasedDelivery,
  WebhookOutcome,
  WebhookSender,
} from '../../ports/webhooks.ts';
import { type DeliveryWindows, toUnixSeconds, webhookHeaders } from './delivery-windows.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { openEndpointKeys } from './endpoint-keys.ts';

export interface DeliverWebhooksDeps {
  readonly queue: DeliveryQueue;
  readonly events: Pick<EventLog, 'byIds'>;
  readonly sender: Pick<WebhookSender, 'send' | 'forget'>;
  readonly box: Pick<SecretBox, 'unseal'>;
  readonly render: (event: BusinessEvent) => string;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly leaseMs: number;
  readonly onAttempt: (outcome: DeliveryAttempt['outcome']) => void;
  /** The service calls this if it could not process a delivery. The delivery is due again when its lease ends. */
  readonly onError: (error: Error) => void;
}

export interface DeliveryTurn {
  readonly claimed: number;
  readonly after: string;
  /** Resolves when every attempt of this run has ended. The next run does not wait for this. */
  readonly finished: Promise<unknown>;
}

const MOST_CLAIMED = 256;

/** The signal `stop` aborts the attempts in progress. The service does not store their outcome. */
export async function deliverDueWebhooks(
  deps: DeliverWebhooksDeps,
  windows: DeliveryWindows,
  after = '',
  stop?: AbortSignal,
): Promise<DeliveryTurn> {
  const limit = Math.min(MOST_CLAIMED, windows.free());
  if (limit === 0) return { claimed: 0, after, finished: Promise.resolve() };
  const atMs = deps.clock.now();
  const leaseUntilMs = atMs + deps.leaseMs;
  const leased = await deps.queue.claim({
    ...{ atMs, leaseUntilMs, rooms: windows.rooms(), roomOfOthers: FIRST_WINDOW },
    ...{ after, limit, mostAttempts: MOST_ATTEMPTS },
  });
  const last = leased.at(-1)?.endpointId ?? '';
  const isWhole = leased.length < limit;
  const waited = (isWhole || last <= after) && windows.newRound(isWhole);
  if (leased.length === 0)
    return waited
      ? deliverDueWebhooks(deps, windows, '', stop)
      : { claimed: 0, after: '', finished: Promise.resolve() };
  for (const { endpointId } of leased) windows.begin(endpointId);
  const finished = deliverBatch(deps, windows, { leased, leaseUntilMs, stop });
  return { claimed: leased.length, after: isWhole ? '' : last, finished };
}

interface PreparedTarget {
  readonly target: DeliveryTarget;
  /** Undefined if the key file cannot open the secrets. */
  readonly secrets: readonly WebhookSecrets[] | undefined;
}

interface LeasedBatch {
  readonly leased: readonly LeasedDelivery[];
  readonly leaseUntilMs: number;
  readonly stop: AbortSignal | undefined;
}

async function deliverBatch(
  deps: DeliverWebhooksDeps,
  windows: DeliveryWindows,
  { leased, leaseUntilMs, stop }: LeasedBatch,
): Promise<unknown> {
  const give = (delivery: LeasedDelivery) => windows.end(delivery.endpointId, null);
  const load = Promise.all([
    deps.events.byIds([...new Set(leased.map(({ eventId }) => eventId))]),
    deps.queue.targets([...new Set(leased.map(({ endpointId }) => endpointId))], deps.clock.now()),
  ]);
  const loaded = await load.catch(deps.onError);
  if (loaded === undefined) return leased.forEach(give);
  const [events, targets] = loaded;
  // Each body and the keys of each endpoint are prepared once. An error in one of them does not affect the others.
  const bodies = mapValues(events, (event) => tryOrReport(deps, () => deps.render(event)));
  const prepared = mapValues(targets, (target) => prepareTarget(deps, target));
  return Promise.all(
    leased.map(async (delivery) => {
      const body = bodies.get(delivery.eventId);
      const to = prepared.get(delivery.endpointId);
      if (delivery.spent) {
        give(delivery);
        await failSpentDelivery(deps, delivery).catch(deps.onError);
      } else if (body === undefined || to === undefined) {
        // If there is no target, the endpoint was disabled or deleted meanwhile. Another step ends its deliveries.
        give(delivery);
      } else
        await attemptDelivery(deps, windows, { delivery, to, body, leaseUntilMs, stop }).catch(deps.onError);
    }),
  );
}

function prepareTarget(deps: DeliverWebhooksDeps, target: DeliveryTarget): PreparedTarget {
  const { id } = target.endpoint;
  const open = () => target.sealedKeys.map((sealed) => openEndpointKeys(deps.box, id, sealed));
  return { target, secrets: tryOrReport(deps, open) };
}

function tryOrReport<T>({ onError }: DeliverWebhooksDeps, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    onError(error as Error);
    return undefined;
  }
}

function mapValues<From, To>(
  from: ReadonlyMap<string, From>,
  to: (each: From) => To,
): ReadonlyMap<string, To> {
  return new Map([...from].map(([id, each]) => [id, to(each)]));
}

/** The last attempt of this delivery was counted, but its process died before it stored the outcome. */
async function failSpentDelivery(deps: DeliverWebhooksDeps, delivery: LeasedDelivery): Promise<void> {
  const { endpointId } = delivery;
  const next = { kind: 'failed', reason: 'attempts_used' } as const;
  await deps.queue.settle({ delivery, endpointId, attempt: null, next, atMs: deps.clock.now() });
}

interface DeliveryTry {
  readonly delivery: LeasedDelivery;
  readonly to: PreparedTarget;
  readonly body: string;
  readonly leaseUntilMs: number;
  readonly stop: AbortSignal | undefined;
}

async function attemptDelivery(
  deps: DeliverWebhooksDeps,
  windows: DeliveryWindows,
  request: DeliveryTry,
): Promise<void> {
  const { delivery, to, stop } = request;
  const { endpoint } = to.target;
  const startedAtMs = deps.clock.now();
  if (startedAtMs >= request.leaseUntilMs) {
    // This process paused for so long that another process may have sent the delivery meanwhile.
    windows.end(endpoint.id, null);
    return;
  }
  const outcome = await sendWebhook(deps, request, startedAtMs).catch((error: unknown) => {
    windows.end(endpoint.id, null);
    throw error;
  });
  // The endpoint can get its next attempt as soon as its response has arrived, before the outcome is stored.
  windows.end(endpoint.id, outcome);
  if (stop?.aborted) return;
  const attempt = makeDeliveryAttempt(delivery, startedAtMs, outcome);
  deps.onAttempt(attempt.outcome);
  const next = decideNextStep(outcome, delivery.madeInRound, drawFraction(deps.entropy));
  const isGone = next.kind === 'failed' && next.reason === 'gone';
  // The service disables the endpoint first. If the process dies now, the delivery ends together with the other deliveries of
  // the disabled endpoint.
  if (isGone && (await disableEndpoint(deps, endpoint, 'gone'))) deps.sender.forget(endpoint.id);
  const atMs = deps.clock.now();
  const stored = await deps.queue.settle({ delivery, endpointId: endpoint.id, attempt, next, atMs });
  if (stored === undefined || isGone || next.kind === 'delivered') return;
  if (hasFailedTooLong(stored.failingSinceMs, atMs) && (await disableEndpoint(deps, endpoint, 'failing')))
    deps.sender.forget(endpoint.id);
}

type DeliveryOutcome = WebhookOutcome | typeof KEYS_UNREADABLE;

/** The schedule tries the delivery again, so the operator has days to restore the key file. */
const KEYS_UNREADABLE = {
  kind: 'failed',
  problem: 'keys_unreadable',
  detail: 'The service could not open the keys of the endpoint. The operator must restore the key file.',
  durationMs: 0,
} as const;

async function sendWebhook(
  { sender, userAgent }: DeliverWebhooksDeps,
  { delivery: { eventId: id }, to: { target, secrets }, body, stop }: DeliveryTry,
  atMs: number,
): Promise<DeliveryOutcome> {
  if (secrets === undefined) return KEYS_UNREADABLE;
  const { id: endpointId, url, mode } = target.endpoint;
  const signature = signatureHeader({ id, timestampSeconds: toUnixSeconds(atMs), body, secrets });
  const headers = { ...webhookHeaders(userAgent, id, atMs), 'webhook-signature': signature };
  return sender.send({ endpointId, url, mode, headers, body }, stop);
}

function makeDeliveryAttempt(
  { no }: LeasedDelivery,
  atMs: number,
  outcome: DeliveryOutcome,
): DeliveryAttempt {
  const base = { no, atMs, durationMs: outcome.durationMs, status: null, error: null, answer: null };
  switch (outcome.kind) {
    case 'answered': {
      const { status, answer } = outcome;
      return { ...base, status, answer, outcome: isSuccessfulAttempt(outcome) ? 'succeeded' : 'answered' };
    }
    case 'failed':
      return { ...base, outcome: outcome.problem, error: outcome.detail };
    case 'refused':
      return { ...base, outcome: 'address_refused', error: outcome.detail };
  }
}

function drawFraction(entropy: Entropy): number {
  return Buffer.from(entropy.bytes(4)).readUInt32BE() / 2 ** 32;
}
