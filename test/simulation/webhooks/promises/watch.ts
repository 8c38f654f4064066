// Checks the promises about webhooks at every claim, every request that is sent and every outcome that is stored. This code
// counts separately from the store, so that a bug in the store becomes visible.
import type { WebhookRequest } from '../../../../src/ports/webhooks.ts';
import { isReceiving } from '../store/memory.ts';
import { makeClaimWatch } from './claims.ts';
import { makeKeyWatch } from './keys.ts';
import { makeStoryWatch } from './stories.ts';
import type { WatchedParts, WebhookWatch } from './watching.ts';

export function makeWebhookWatch(parts: WatchedParts): WebhookWatch {
  const { now, toleranceMs, broken } = parts;
  const bodies = new Map<string, string>();
  const endpoints = makeEndpointWatch(parts);
  const keys = makeKeyWatch(parts);
  const claims = makeClaimWatch(parts);
  const stories = makeStoryWatch(parts);
  return {
    bodies,
    subscriptions: endpoints.subscriptions,
    claimable: claims.claimable,
    claimed: (courier, request, couldBe, leased) => {
      claims.claimed(courier, request, couldBe, leased);
      for (const each of leased) stories.claimed(request, each);
    },
    targetRead: claims.targetRead,
    sends: (courier, request) => {
      const { endpointId, headers, body } = request;
      const eventId = headers['webhook-id']!;
      const seen = claims.of(courier, endpointId, eventId);
      belongs(parts, endpoints.subscriptions, request);
      const before = bodies.get(eventId);
      bodies.set(eventId, body);
      if (before !== undefined && before !== body)
        broken('every attempt of an event has the same bytes', `${eventId}: ${before} and ${body}`, eventId);
      stories.sent(endpointId, eventId);
      const about = `${eventId} to ${endpointId}`;
      if (seen === undefined || now() >= seen.leaseUntilMs + toleranceMs)
        broken('nothing is sent on a lease that is over', about, eventId);
      if (endpoints.isStopped(endpointId, seen?.readAtMs ?? 0))
        broken('nothing is sent to an endpoint that is disabled or deleted', about, eventId);
      keys.check(request, seen?.readAtMs ?? now(), seen?.claimedAtMs ?? now());
    },
    heard: stories.heard,
    settled: stories.settled,
    beforeQueueing: stories.beforeQueueing,
    endpointChanged: endpoints.changed,
    keysMade: (endpointId, oldEndAtMs) => {
      if (oldEndAtMs === null) endpoints.changed(endpointId);
      keys.made(endpointId, oldEndAtMs);
    },
    secretShown: keys.shown,
    overlapPromised: keys.promised,
    backedUp: endpoints.backedUp,
    restored: () => {
      // After a restore, the watch counts everything again from the state of the backup.
      bodies.clear();
      endpoints.restored();
      stories.restored();
      claims.restored();
      keys.restored();
    },
    sentInRound: stories.sentInRound,
  };
}

function makeEndpointWatch(parts: WatchedParts) {
  const { memory, now } = parts;
  const stoppedAtMs = new Map<string, number>();
  const subscriptions = new Map<string, readonly (readonly string[] | null)[]>();
  /** The subscriptions at the time of the backup. The backup contains deliveries for all of them. */
  let inBackup: typeof subscriptions = new Map();
  const noteSubscription = (id: string) => {
    const { events } = memory.endpoints.get(id)!.endpoint;
    subscriptions.set(id, [...(subscriptions.get(id) ?? []), events]);
  };
  return {
    subscriptions,
    /** `readAtMs`: when the process last read that the endpoint is enabled. */
    isStopped: (id: string, readAtMs: number) => readAtMs > (stoppedAtMs.get(id) ?? readAtMs),
    changed: (id: string) => {
      noteSubscription(id);
      if (isReceiving(memory, id)) stoppedAtMs.delete(id);
      else if (!stoppedAtMs.has(id)) {
        stoppedAtMs.set(id, now());
        hasItsEvent(parts, id);
      }
    },
    backedUp: () => {
      inBackup = new Map(subscriptions);
    },
    restored: () => {
      stoppedAtMs.clear();
      subscriptions.clear();
      for (const id of memory.endpoints.keys()) {
        subscriptions.set(id, inBackup.get(id) ?? []);
        noteSubscription(id);
        if (!isReceiving(memory, id)) stoppedAtMs.set(id, now());
      }
    },
  };
}

/**
 * The event must belong to the endpoint's business and mode, and must have a type to which the endpoint subscribed at some
 * time.
 */
function belongs(
  { memory, broken }: WatchedParts,
  subscriptions: WebhookWatch['subscriptions'],
  { endpointId, headers, body }: WebhookRequest,
): void {
  const eventId = headers['webhook-id']!;
  const event = memory.log.find(eventId)?.event;
  const { endpoint } = memory.endpoints.get(endpointId)!;
  if (event === undefined || !body.startsWith(`{"id":"${eventId}"`)) {
    broken('the webhook-id is the id of the event, in every attempt', `${eventId}: ${body}`, eventId);
    return;
  }
  if (event.businessId !== endpoint.businessId || event.mode !== endpoint.mode)
    broken('no event reaches another business or mode', `${eventId} to ${endpointId}`, eventId);
  const isForOne = event.kind === 'account' && event.endpointId !== null;
  const isWanted = isForOne
    ? event.endpointId === endpointId
    : subscriptions.get(endpointId)!.some((each) => includesType(each, event.type));
  if (!isWanted)
    broken(
      'an endpoint receives what it subscribed to',
      `${eventId}, ${event.type}, to ${endpointId}`,
      eventId,
    );
}

/**
 * If the service disables an endpoint, the same commit must contain an event about it. If the business disables or deletes the
 * endpoint, there is no such event.
 */
function hasItsEvent({ memory, broken }: WatchedParts, id: string): void {
  const { endpoint, deletedAtMs } = memory.endpoints.get(id)!;
  const { disabledReason, updatedAtMs } = endpoint;
  if (deletedAtMs !== null || disabledReason === 'requested') return;
  const isThere = memory.log.entries.some(
    ({ event }) =>
      event.type === 'webhook_endpoint.disabled' &&
      event.kind === 'account' &&
      event.atMs === updatedAtMs &&
      (event.data.endpoint as { id: string }).id === id,
  );
  if (!isThere) broken('an endpoint that was disabled has its event', `${id}: ${disabledReason}`, id);
}

export function includesType(subscription: readonly string[] | null, type: string): boolean {
  if (subscription === null) return true;
  return subscription.includes(type) || subscription.includes(`${type.split('.')[0]}.*`);
}
