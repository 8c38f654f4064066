// Holds in maps of immutable records what the database stores about webhooks. A backup is a copy of the maps.
import type { EventType } from '../../../../src/domain/events/event.ts';
import type { Delivery, DeliveryAttempt } from '../../../../src/domain/webhooks/delivery.ts';
import type { Endpoint } from '../../../../src/domain/webhooks/endpoint.ts';
import { type EventLogModel, makeLogModel } from './log.ts';

export interface EndpointRow {
  readonly endpoint: Endpoint;
  readonly createdBy: number;
  readonly deletedAtMs: number | null;
}

export interface KeysRow {
  readonly no: number;
  readonly sealed: string;
  readonly publicKey: string;
  readonly madeBy: string;
  readonly endsAtMs: number | null;
}

export interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly state: Delivery['state'];
  readonly reason: Delivery['reason'];
  readonly retry: boolean;
  readonly dueAtMs: number;
  readonly leasedUntilMs: number | null;
  readonly fence: number;
  readonly attempts: number;
  readonly roundStart: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface WebhookMemory {
  readonly log: EventLogModel;
  readonly endpoints: Map<string, EndpointRow>;
  /** The keys of each endpoint, oldest first. */
  readonly keys: Map<string, readonly KeysRow[]>;
  readonly deliveries: Map<string, DeliveryRow>;
  readonly pairs: Map<string, string>;
  readonly pending: Map<string, Set<string>>;
  readonly attempts: Map<string, readonly DeliveryAttempt[]>;
  readonly requests: Map<string, { readonly requestHash: string; readonly transactionId: string }>;
  readonly position: { at: string | null };
}

export function emptyWebhookMemory(): WebhookMemory {
  return {
    log: makeLogModel(),
    endpoints: new Map(),
    keys: new Map(),
    deliveries: new Map(),
    pairs: new Map(),
    pending: new Map(),
    attempts: new Map(),
    requests: new Map(),
    position: { at: null },
  };
}

/** The returned function restores the state at the time of this call. */
export function backupOf(memory: WebhookMemory): () => void {
  const putLogBack = memory.log.checkpoint();
  const at = memory.position.at;
  const maps = [
    memory.endpoints,
    memory.keys,
    memory.deliveries,
    memory.pairs,
    memory.attempts,
    memory.requests,
  ];
  const copies = maps.map((map) => [...map]);
  return () => {
    putLogBack();
    memory.position.at = at;
    for (const [index, map] of maps.entries()) {
      map.clear();
      for (const [key, value] of copies[index]!) (map as Map<string, unknown>).set(key, value);
    }
    memory.pending.clear();
    for (const row of memory.deliveries.values()) notePending(memory, row);
  };
}

export function pairOf(endpointId: string, eventId: string): string {
  return `${endpointId} ${eventId}`;
}

export function putDelivery(memory: WebhookMemory, row: DeliveryRow): void {
  memory.deliveries.set(row.id, row);
  memory.pairs.set(pairOf(row.endpointId, row.eventId), row.id);
  notePending(memory, row);
}

function notePending({ pending }: WebhookMemory, { id, endpointId, state }: DeliveryRow): void {
  const ids = pending.get(endpointId) ?? new Set();
  pending.set(endpointId, ids);
  if (state === 'pending') ids.add(id);
  else ids.delete(id);
}

export function pendingOf({ pending, deliveries }: WebhookMemory, endpointId: string): DeliveryRow[] {
  return [...(pending.get(endpointId) ?? [])].map((id) => deliveries.get(id)!);
}

export function isReceiving({ endpoints }: WebhookMemory, endpointId: string): boolean {
  const row = endpoints.get(endpointId);
  return row !== undefined && row.endpoint.state === 'enabled' && row.deletedAtMs === null;
}

export function changeEndpointRow(memory: WebhookMemory, id: string, to: Partial<Endpoint>): void {
  const row = memory.endpoints.get(id)!;
  memory.endpoints.set(id, { ...row, endpoint: { ...row.endpoint, ...to } });
}

export function showDelivery(row: DeliveryRow): Delivery {
  const { id, endpointId, eventId, eventType, state, reason, attempts, dueAtMs, createdAtMs, updatedAtMs } =
    row;
  return {
    ...{ id, endpointId, eventId, eventType, state, reason, attemptsMade: attempts },
    ...{ nextAttemptAtMs: state === 'pending' ? dueAtMs : null, createdAtMs, updatedAtMs },
  };
}
