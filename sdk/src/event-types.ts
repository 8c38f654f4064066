// Events by their type: the document has one schema for all of them, here `event.type` decides what `event.data` holds.
import type { EventAnswer, ListEventsQuery, WebhookEndpoint } from './api-types.ts';
import type { EventFilter, EventType } from './api-words.ts';

type AnyData = EventAnswer['data'];

/** What moved the transaction. `reason` is a code, `message` the same as a sentence that may change. */
export type EventChange = NonNullable<AnyData['change']>;
export type EventRefund = NonNullable<AnyData['refund']>;

interface EventOf<Type extends EventType, Data> extends Omit<EventAnswer, 'type' | 'data'> {
  readonly type: Type;
  readonly data: Data;
}

interface TransactionData {
  /** As it was when the event happened; `refunds` and `payout` are read with `transactions.get`. */
  readonly transaction: NonNullable<AnyData['transaction']>;
  readonly change: EventChange;
}

export type RefundEvent = EventOf<'refund.completed', TransactionData & { readonly refund: EventRefund }>;
export type EndpointDisabledEvent = EventOf<
  'webhook_endpoint.disabled',
  { readonly endpoint: WebhookEndpoint; readonly reason: 'gone' | 'failing' }
>;
export type WebhookTestEvent = EventOf<
  'webhook.test',
  { readonly endpoint_id: string; readonly stands_for: string | null }
>;

export type TransactionEventType = Exclude<
  EventType,
  (RefundEvent | EndpointDisabledEvent | WebhookTestEvent)['type']
>;
export type TransactionEvent = {
  [Type in TransactionEventType]: EventOf<Type, TransactionData>;
}[TransactionEventType];

export type SliproadEvent = TransactionEvent | RefundEvent | EndpointDisabledEvent | WebhookTestEvent;
export interface EventFilters extends Omit<ListEventsQuery, 'type'> {
  readonly type?: EventFilter | readonly EventFilter[] | undefined;
}
