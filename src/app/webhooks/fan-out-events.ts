// Makes one delivery for each event and each endpoint that subscribes to it. The position in the event log advances in the same
// commit as the deliveries. So a process that dies in between neither loses a delivery nor creates one twice.
import type { BusinessEvent } from '../../domain/events/event.ts';
import { type EndpointSubscription, wantsEvent } from '../../domain/webhooks/endpoint.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { EventLog } from '../../ports/events.ts';
import type { DeliveryFanOut, NewDelivery } from '../../ports/webhooks.ts';
import { newId } from './webhook-deps.ts';

export interface FanOutDeps {
  readonly fanOut: DeliveryFanOut;
  readonly events: Pick<EventLog, 'end' | 'read'>;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

export interface FanOutResult {
  readonly deliveries: number;
  readonly more: boolean;
}

const PAGE = 200;
/** The interval at which the position follows the event log while there is no endpoint. */
const JUMP_EVERY_MS = 1_000;

export interface FanOutMemory {
  jumpedAtMs: number;
}

const NOTHING_QUEUED: FanOutResult = { deliveries: 0, more: false };

export async function fanOutEvents(
  deps: FanOutDeps,
  memory: FanOutMemory = { jumpedAtMs: 0 },
): Promise<FanOutResult> {
  const { fanOut, events, clock } = deps;
  const from = await fanOut.position();
  if (from === null || !(await fanOut.anyListens())) {
    if (from !== null && Math.abs(clock.now() - memory.jumpedAtMs) < JUMP_EVERY_MS) return NOTHING_QUEUED;
    memory.jumpedAtMs = clock.now();
    return skipToEnd(deps, from);
  }
  const page = await events.read(from, PAGE);
  if (page.position === from) return NOTHING_QUEUED;
  // The endpoints are read after the page of events. So they include an endpoint that was created before one of these events.
  const businesses = [...new Set(page.events.map(({ businessId }) => businessId))];
  const listening = businesses.length === 0 ? [] : await fanOut.listening(businesses);
  const wanted = draftDeliveries(deps, page.events, listening);
  const added = await fanOut.spread(from, page.position, wanted, clock.now());
  return { deliveries: added ?? 0, more: added !== undefined && !page.atEnd };
}

/**
 * Moves the position to the end of the event log without reading events, because there is no endpoint. The end of the log is
 * read first, so that an endpoint that is created later misses none of its events.
 */
async function skipToEnd({ fanOut, events, clock }: FanOutDeps, from: string | null): Promise<FanOutResult> {
  const end = await events.end();
  if (from !== null && (await fanOut.anyListens())) return { ...NOTHING_QUEUED, more: true };
  if (end !== from) await fanOut.spread(from, end, [], clock.now());
  return NOTHING_QUEUED;
}

function draftDeliveries(
  deps: FanOutDeps,
  events: readonly BusinessEvent[],
  listening: readonly EndpointSubscription[],
): NewDelivery[] {
  const byBusiness = Map.groupBy(listening, ({ businessId }) => businessId);
  return events.flatMap((event) =>
    (byBusiness.get(event.businessId) ?? [])
      .filter((endpoint) => wantsEvent(endpoint, event))
      .map((endpoint) => ({
        id: newId(deps, 'whd'),
        endpointId: endpoint.id,
        eventId: event.id,
        eventType: event.type,
      })),
  );
}
