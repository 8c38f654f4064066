// Events by type. The OpenAPI document has one schema for all events. Here `event.type` decides the type of `event.data`.
import type { EventAnswer, ListEventsQuery, WebhookEndpoint } from './api-types.ts';
import type { EventFilter, EventType } from './api-words.ts';

type AnyData = EventAnswer['data'];

/** The change of the transaction. `reason` is a code. `message` describes the reason in a sentence, and its text may change. */
export type EventChange = NonNullable<AnyData['change']>;
export type EventRefund = NonNullable<AnyData['refund']>;

interface EventOf<Type extends EventType, Data> extends Omit<EventAnswer, 'type' | 'data'> {
  readonly type: Type;
  readonly data: Data;
}

interface TransactionData {
  /** The transaction at the time of the event. To read `refunds` and `payout`, use `transactions.get`. */
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
