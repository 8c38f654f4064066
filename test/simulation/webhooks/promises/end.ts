// Checks the state when every retry has ended. Each event has reached each endpoint that should get it, unless the receiver
// refused it for a whole round. The events sent about a transaction equal its history.
import { eventTypeOfLine, hasRefundEvent } from '../../../../src/domain/events/event.ts';
import type { WebhookStage } from '../stage.ts';
import type { LogEntry } from '../store/log.ts';
import { type EndpointRow, isReceiving, pairOf } from '../store/memory.ts';
import { ROUND } from './stories.ts';
import { includesType } from './watch.ts';

export function checkWebhooksEnd(stage: WebhookStage): void {
  for (const row of stage.memory.endpoints.values())
    if (isReceiving(stage.memory, row.endpoint.id)) everythingArrived(stage, row);
  nothingIsLeft(stage);
  historiesAreTrue(stage);
}

function everythingArrived({ memory, receivers, watch, broken }: WebhookStage, row: EndpointRow): void {
  const { id } = row.endpoint;
  for (const entry of memory.log.entries) {
    const eventId = entry.event.id;
    if (!isOwed(watch.subscriptions.get(id) ?? [], row, entry) || receivers.hasTaken(id, eventId)) continue;
    const delivery = memory.deliveries.get(memory.pairs.get(pairOf(id, eventId)) ?? '');
    const isUsedUp = delivery?.reason === 'attempts_used' && watch.sentInRound(id, eventId) > 0;
    const isForbidden = delivery?.reason === 'address_refused';
    // A business cannot request a test event again, because a test event belongs to one endpoint only.
    const isTest = entry.event.type === 'webhook.test';
    if (delivery?.state === 'failed' && (isUsedUp || isForbidden || isTest)) continue;
    const state = delivery === undefined ? 'no delivery' : `${delivery.state}, ${delivery.reason}`;
    broken(
      'every event reaches every endpoint that should have it',
      `${eventId} to ${id}: ${state}`,
      eventId,
    );
  }
}

/**
 * An endpoint must get an event only if every subscription that it ever had includes the event's type. It need not get an event
 * that is older than the endpoint.
 */
function isOwed(
  subscriptions: readonly (readonly string[] | null)[],
  { endpoint, createdBy }: EndpointRow,
  { event, number }: LogEntry,
): boolean {
  if (event.businessId !== endpoint.businessId || event.mode !== endpoint.mode) return false;
  if (number < createdBy || event.atMs < endpoint.createdAtMs) return false;
  if (event.kind === 'account' && event.endpointId !== null) return event.endpointId === endpoint.id;
  return subscriptions.every((each) => includesType(each, event.type));
}

function nothingIsLeft({ memory, broken }: WebhookStage): void {
  for (const { id, state, eventId } of memory.deliveries.values())
    if (state === 'pending') broken('every delivery ends', `${id} of ${eventId}`, eventId);
  for (const { id, attempts, roundStart, eventId } of memory.deliveries.values())
    if (attempts - roundStart > ROUND)
      broken('no more attempts than the schedule has', `${id}: ${attempts - roundStart}`, eventId);
}

interface Sent {
  readonly sequence: number;
  readonly type: string;
  readonly data: { readonly change?: { readonly from: string | null; readonly to: string } };
}

/** Compares the events with settlement's own timeline, which is independent of the event log. */
function historiesAreTrue({ memory, tables, watch, broken }: WebhookStage): void {
  for (const [eventId, body] of watch.bodies) {
    const event = memory.log.find(eventId)?.event;
    if (event?.kind !== 'transaction') continue;
    const { sequence, type, data } = JSON.parse(body) as Sent;
    const history = historyOf(tables, event.transaction.id);
    const isTrue = history[sequence - 1] === `${type} ${data.change?.from} ${data.change?.to}`;
    if (!isTrue)
      broken(
        'the events of a transaction are its history, numbered without gaps',
        `${eventId}: ${sequence} ${type}, and the history is ${history.join(', ')}`,
        event.transaction.id,
      );
  }
}

function historyOf({ timeline, transactions }: WebhookStage['tables'], id: string): readonly string[] {
  const lines = timeline.get(id) ?? [];
  const first = lines[0]?.from ?? transactions.get(id)?.state;
  return [
    `transaction.accepted null ${first}`,
    ...lines.flatMap((line) => {
      const moved = `${line.from} ${line.to}`;
      const own = `${eventTypeOfLine(line)} ${moved}`;
      return hasRefundEvent(line) ? [`refund.completed ${moved}`, own] : [own];
    }),
  ];
}
