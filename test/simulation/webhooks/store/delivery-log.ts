// The delivery log in memory, including redeliveries that a business requests. It returns the same results as the PostgreSQL
// adapter.
import { findIdLowerBound } from '../../../../src/domain/values/ids.ts';
import type { DeliveryLog, NewAccountEvent, NewDelivery } from '../../../../src/ports/webhooks.ts';
import type { Sync } from '../../model/tables.ts';
import { pairOf, putDelivery, showDelivery, type WebhookMemory } from './memory.ts';
import { newRow } from './queue.ts';

const UNTIL_FAN_OUT_MS = 60_000;
const LAST_ID = 'whd_~';

type Numbered = Sync<DeliveryLog> & {
  addTestAs(number: number, event: NewAccountEvent, delivery: NewDelivery): ReturnType<typeof showDelivery>;
};

export function deliveryLogModel(memory: WebhookMemory): Numbered {
  const addTestAs: Numbered['addTestAs'] = (number, event, delivery) => {
    const made = memory.deliveries.get(delivery.id);
    if (made !== undefined) {
      memory.log.commitNothing(number);
      return showDelivery(made);
    }
    memory.log.commitAccountEvent(number, event);
    const row = newRow(delivery, event.atMs + UNTIL_FAN_OUT_MS, event.atMs);
    putDelivery(memory, row);
    return showDelivery(row);
  };
  return {
    find: ({ businessId, mode }, id) => {
      const row = memory.deliveries.get(id);
      const owner = row && memory.endpoints.get(row.endpointId);
      if (row === undefined || owner?.deletedAtMs !== null) return undefined;
      const isOwn = owner.endpoint.businessId === businessId && owner.endpoint.mode === mode;
      return isOwn ? showDelivery(row) : undefined;
    },
    list: (endpointId, { state, eventId, fromMs, toMs, before, limit }) => {
      const first = fromMs === undefined ? '' : findIdLowerBound('whd', fromMs);
      const end = toMs === undefined ? LAST_ID : findIdLowerBound('whd', toMs + 1);
      const last = before !== undefined && before < end ? before : end;
      return [...memory.deliveries.values()]
        .filter((row) => row.endpointId === endpointId && row.id >= first && row.id < last)
        .filter((row) => row.state === (state ?? row.state) && row.eventId === (eventId ?? row.eventId))
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
        .map(showDelivery);
    },
    attempts: (deliveryId) => (memory.attempts.get(deliveryId) ?? []).toSorted((a, b) => a.no - b.no),
    queueAgain: (deliveries, onlyFailed, atMs) =>
      deliveries.filter((each) => queueOne(memory, each, onlyFailed, atMs)).length,
    addTestAs,
    addTest: (event, delivery) => addTestAs(memory.log.begin(), event, delivery),
  };
}

function queueOne(memory: WebhookMemory, delivery: NewDelivery, onlyFailed: boolean, atMs: number): boolean {
  const there = memory.deliveries.get(memory.pairs.get(pairOf(delivery.endpointId, delivery.eventId)) ?? '');
  if (there === undefined) {
    putDelivery(memory, newRow(delivery, atMs, atMs));
    return true;
  }
  const waits =
    there.state === 'pending' && there.retry && there.dueAtMs > atMs && there.leasedUntilMs === null;
  if (!waits && (there.state === 'pending' || (there.state === 'delivered' && onlyFailed))) return false;
  putDelivery(memory, {
    ...there,
    ...{
      state: 'pending',
      reason: null,
      retry: waits,
      dueAtMs: atMs,
      leasedUntilMs: null,
      updatedAtMs: atMs,
    },
    roundStart: waits ? there.roundStart : there.attempts,
    fence: there.fence + 1,
  });
  return true;
}
