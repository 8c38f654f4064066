// The delivery queue in memory, and the step that creates deliveries from events. Both return the same results as the
// PostgreSQL adapter. Claims take turns between endpoints, an attempt counts when it is leased, and only the newest lease may
// write an outcome.
import { findIdLowerBound } from '../../../../src/domain/values/ids.ts';
import type { Endpoint } from '../../../../src/domain/webhooks/endpoint.ts';
import type {
  AttemptSettlement,
  DeliveryFanOut,
  DeliveryLeaseRequest,
  DeliveryQueue,
  EndpointDisabling,
  LeasedDelivery,
  NewDelivery,
} from '../../../../src/ports/webhooks.ts';
import { byId } from '../../model/table.ts';
import type { Sync } from '../../model/tables.ts';
import { shown } from './endpoints.ts';
import {
  changeEndpointRow,
  type DeliveryRow,
  isReceiving,
  pairOf,
  pendingOf,
  putDelivery,
  type WebhookMemory,
} from './memory.ts';

const MINUTE_MS = 60_000;

export function fanOutModel(memory: WebhookMemory): Sync<DeliveryFanOut> {
  const receiving = () =>
    [...memory.endpoints.values()]
      .map(({ endpoint }) => endpoint)
      .filter(({ id }) => isReceiving(memory, id));
  return {
    position: () => memory.position.at,
    listening: (businessIds) =>
      receiving()
        .filter(({ businessId }) => businessIds.includes(businessId))
        .map(({ id, businessId, mode, events }) => ({ id, businessId, mode, events }))
        .sort(byId),
    anyListens: () => receiving().length > 0,
    spread: (from, to, deliveries, atMs) => {
      if (memory.position.at !== from) return undefined;
      memory.position.at = to;
      return deliveries.filter((each) => spreadOne(memory, each, atMs)).length;
    },
  };
}

function spreadOne(memory: WebhookMemory, delivery: NewDelivery, atMs: number): boolean {
  const { endpointId, eventId } = delivery;
  const found = memory.log.find(eventId);
  const row = memory.endpoints.get(endpointId);
  if (found === undefined || row === undefined || !isReceiving(memory, endpointId)) return false;
  const isLater = row.createdBy <= found.number || row.endpoint.createdAtMs < found.event.atMs - MINUTE_MS;
  if (!isLater) return false;
  const there = memory.deliveries.get(memory.pairs.get(pairOf(endpointId, eventId)) ?? '');
  if (there === undefined) {
    putDelivery(memory, newRow(delivery, atMs, atMs));
    return true;
  }
  if (there.state !== 'pending' || there.attempts > 0 || there.dueAtMs <= atMs) return false;
  putDelivery(memory, { ...there, dueAtMs: atMs });
  return true;
}

export function newRow(
  { id, endpointId, eventId, eventType }: NewDelivery,
  dueAtMs: number,
  atMs: number,
): DeliveryRow {
  return {
    ...{ id, endpointId, eventId, eventType, state: 'pending', reason: null, retry: false, dueAtMs },
    ...{ leasedUntilMs: null, fence: 0, attempts: 0, roundStart: 0, createdAtMs: atMs, updatedAtMs: atMs },
  };
}

type Numbered = Sync<DeliveryQueue> & {
  disableAs(number: number, disabling: EndpointDisabling): boolean;
};

export function queueModel(memory: WebhookMemory, caretakers: readonly string[] = []): Numbered {
  const disableAs: Numbered['disableAs'] = (number, disabling) => disableIn(memory, number, disabling);
  return {
    claim: (request) => claimDue(memory, request),
    targets: (endpointIds, atMs) =>
      new Map(
        endpointIds
          .filter((id) => isReceiving(memory, id))
          .map((id) => [id, { endpoint: shown(memory, id), sealedKeys: keysInForce(memory, id, atMs) }]),
      ),
    settle: (settlement) => settleOne(memory, settlement),
    disableAs,
    disable: (disabling) => disableAs(memory.log.begin(), disabling),
    caretakers: () => caretakers,
    endStranded: (atMs, limit) => endStranded(memory, atMs, limit),
    forget: (beforeMs, limit) => {
      const old = [...memory.deliveries.values()]
        .filter(({ id, state }) => id < findIdLowerBound('whd', beforeMs) && state !== 'pending')
        .sort(byId)
        .slice(0, limit);
      for (const { id, endpointId, eventId } of old) {
        memory.deliveries.delete(id);
        memory.pairs.delete(pairOf(endpointId, eventId));
        memory.attempts.delete(id);
      }
      return old.length;
    },
    depth: (atMs) => {
      const due = waiting(memory).filter((row) => isFree(row, atMs));
      const oldestDueMs = due.length === 0 ? null : Math.min(...due.map(({ dueAtMs }) => dueAtMs));
      return { due: due.length, oldestDueMs };
    },
  };
}

function keysInForce({ keys }: WebhookMemory, id: string, atMs: number): readonly string[] {
  return (keys.get(id) ?? [])
    .filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > atMs)
    .map(({ sealed }) => sealed)
    .reverse();
}

/** Returns the pending deliveries of enabled endpoints. */
export function waiting(memory: WebhookMemory): readonly DeliveryRow[] {
  return [...memory.pending.keys()]
    .filter((id) => isReceiving(memory, id))
    .flatMap((id) => pendingOf(memory, id));
}

function isFree({ dueAtMs, leasedUntilMs }: DeliveryRow, atMs: number): boolean {
  return dueAtMs <= atMs && (leasedUntilMs === null || leasedUntilMs <= atMs);
}

function claimDue(memory: WebhookMemory, request: DeliveryLeaseRequest): readonly LeasedDelivery[] {
  const { after, limit, rooms, roomOfOthers } = request;
  const claimed = claimAfter(memory, request);
  if (after === '' || claimed.length >= limit) return claimed;
  const left = new Map(rooms);
  for (const { endpointId } of claimed) left.set(endpointId, (left.get(endpointId) ?? roomOfOthers) - 1);
  const rest = { ...request, after: '', limit: limit - claimed.length, rooms: left };
  return [...claimed, ...claimAfter(memory, rest)];
}

function claimAfter(memory: WebhookMemory, request: DeliveryLeaseRequest): LeasedDelivery[] {
  const { atMs, leaseUntilMs, rooms, roomOfOthers, after, limit, mostAttempts } = request;
  const ids = [...memory.pending.keys()].filter((id) => id > after && isReceiving(memory, id)).sort();
  const picked = ids
    .flatMap((id) =>
      pendingOf(memory, id)
        .filter((row) => isFree(row, atMs))
        .sort(firstAttemptsFirst)
        .slice(0, Math.max(0, rooms.get(id) ?? roomOfOthers)),
    )
    .slice(0, limit);
  return picked.map((row) => {
    const spent = row.attempts - row.roundStart >= mostAttempts;
    const attempts = spent ? row.attempts : row.attempts + 1;
    const fence = row.fence + 1;
    putDelivery(memory, { ...row, leasedUntilMs: leaseUntilMs, fence, attempts });
    const { id, endpointId, eventId, eventType, roundStart } = row;
    const counted = { fence, no: attempts, madeInRound: attempts - roundStart, spent };
    return { id, endpointId, eventId, eventType, ...counted };
  });
}

function firstAttemptsFirst(a: DeliveryRow, b: DeliveryRow): number {
  return Number(a.retry) - Number(b.retry) || a.dueAtMs - b.dueAtMs || byId(a, b);
}

function settleOne(
  memory: WebhookMemory,
  { delivery, attempt, next, atMs }: AttemptSettlement,
): { readonly failingSinceMs: number | null } | undefined {
  const row = memory.deliveries.get(delivery.id);
  if (row?.state !== 'pending' || row.fence !== delivery.fence) return undefined;
  const isRetry = next.kind === 'retry';
  putDelivery(memory, {
    ...row,
    state: next.kind === 'retry' ? 'pending' : next.kind,
    reason: next.kind === 'failed' ? next.reason : null,
    dueAtMs: next.kind === 'retry' ? atMs + next.inMs : row.dueAtMs,
    retry: row.retry || isRetry,
    leasedUntilMs: null,
    updatedAtMs: atMs,
  });
  const { endpoint } = memory.endpoints.get(row.endpointId)!;
  if (attempt === null) return { failingSinceMs: endpoint.failingSinceMs };
  memory.attempts.set(row.id, [...(memory.attempts.get(row.id) ?? []), attempt]);
  if (next.kind === 'delivered') {
    noteSuccess(memory, endpoint, atMs);
    return { failingSinceMs: null };
  }
  const failingSinceMs = endpoint.failingSinceMs ?? attempt.atMs;
  changeEndpointRow(memory, endpoint.id, { failingSinceMs });
  return { failingSinceMs };
}

/** The service writes the time of a success at most once a minute. */
function noteSuccess(memory: WebhookMemory, endpoint: Endpoint, atMs: number): void {
  const { failingSinceMs, lastSuccessAtMs } = endpoint;
  if (failingSinceMs === null && lastSuccessAtMs !== null && lastSuccessAtMs >= atMs - MINUTE_MS) return;
  changeEndpointRow(memory, endpoint.id, { failingSinceMs: null, lastSuccessAtMs: atMs });
}

function disableIn(memory: WebhookMemory, number: number, disabling: EndpointDisabling): boolean {
  const { endpoint, reason, atMs, event } = disabling;
  const now = memory.endpoints.get(endpoint.id)?.endpoint;
  const may = now?.url === endpoint.url && (reason === 'gone' || now.failingSinceMs !== null);
  if (!may || !isReceiving(memory, endpoint.id)) {
    memory.log.commitNothing(number);
    return false;
  }
  changeEndpointRow(memory, endpoint.id, { state: 'disabled', disabledReason: reason, updatedAtMs: atMs });
  memory.log.commitAccountEvent(number, event);
  return true;
}

function endStranded(memory: WebhookMemory, atMs: number, limit: number): number {
  const stranded = [...memory.pending.keys()]
    .filter((id) => memory.endpoints.has(id) && !isReceiving(memory, id))
    .flatMap((id) => pendingOf(memory, id))
    .filter(({ leasedUntilMs }) => leasedUntilMs === null || leasedUntilMs <= atMs)
    .slice(0, limit);
  for (const row of stranded) {
    const isDeleted = memory.endpoints.get(row.endpointId)!.deletedAtMs !== null;
    const reason = isDeleted ? 'endpoint_deleted' : 'endpoint_disabled';
    putDelivery(memory, { ...row, state: 'failed', reason, leasedUntilMs: null, updatedAtMs: atMs });
  }
  return stranded.length;
}
