// Events notify a business about its transactions. An event belongs to a line of the timeline or to an acceptance. Its id, type
// and order are derived from that line and never change.
import { STATES, type TransactionState } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { idBody, isId } from '../values/ids.ts';
import type { Mode } from '../values/mode.ts';

const STATE_EVENTS = STATES.map((state) => `transaction.${state}` as const);

/** The event types of lines that do not change the state, by the reason of the line. */
const SAME_STATE_EVENTS = {
  refund_made: 'refund.completed',
  payment_reversed_after_use: 'transaction.payment_reversed',
  payout_returned: 'transaction.payout_returned',
} as const;

const ACCOUNT_EVENTS = ['webhook_endpoint.disabled', 'webhook.test'] as const;

export type EventType =
  | 'transaction.accepted'
  | `transaction.${TransactionState}`
  | 'transaction.updated'
  | (typeof SAME_STATE_EVENTS)[keyof typeof SAME_STATE_EVENTS]
  | (typeof ACCOUNT_EVENTS)[number];

/** All event types, in the order of the documentation. */
export const EVENT_TYPES: readonly EventType[] = [
  'transaction.accepted',
  ...STATE_EVENTS,
  'transaction.updated',
  'transaction.payment_reversed',
  'transaction.payout_returned',
  'refund.completed',
  ...ACCOUNT_EVENTS,
];

/** The change as the timeline shows it. An acceptance has no earlier state. */
export interface EventChange {
  readonly from: TransactionState | null;
  readonly to: TransactionState;
  readonly actor: string;
  readonly reason: string;
}

/** The refund of a `refund.completed` event. The refund is finished, so it never changes again. */
export interface CompletedRefund {
  readonly movementId: string;
  readonly nairaMinor: bigint;
  /** Null: a refund by bank. */
  readonly network: string | null;
  readonly destination: unknown;
  /** The hash on a network, or our reference at the bank. */
  readonly reference: string;
}

interface EventHead {
  readonly id: string;
  readonly type: EventType;
  /** The number of the event in its transaction: 1, 2, 3 …, without gaps. */
  readonly sequence: number;
  readonly businessId: string;
  readonly mode: Mode;
  readonly atMs: number;
}

export interface TransactionEvent extends EventHead {
  readonly kind: 'transaction';
  /** The transaction after the commit of the event, without the fields that only workers need (due time, tries, released). */
  readonly transaction: Transaction;
  readonly change: EventChange;
  readonly refund: CompletedRefund | null;
}

export interface AccountEvent extends EventHead {
  readonly kind: 'account';
  readonly data: Readonly<Record<string, unknown>>;
  /** If set, only this endpoint receives the event. */
  readonly endpointId: string | null;
}

export type BusinessEvent = TransactionEvent | AccountEvent;

/** The type of the event that belongs to a line of the timeline. */
export function eventTypeOfLine({ from, to, reason }: Omit<EventChange, 'actor'>): EventType {
  if (from === null) return 'transaction.accepted';
  if (from !== to) return `transaction.${to}`;
  return Object.hasOwn(SAME_STATE_EVENTS, reason)
    ? SAME_STATE_EVENTS[reason as keyof typeof SAME_STATE_EVENTS]
    : 'transaction.updated';
}

/** A refund that also changes the state of its transaction has a separate event before the state change. */
export function hasRefundEvent({ from, to, reason }: Omit<EventChange, 'actor'>): boolean {
  return reason === 'refund_made' && from !== to;
}

/** The position of an event in the timeline. The refund event of a line comes before the event of the line itself. */
export interface EventPlace {
  readonly transactionId: string;
  readonly version: number;
  readonly isRefund: boolean;
}

export function eventId({ transactionId, version, isRefund }: EventPlace): string {
  return `evt_${idBody(transactionId)}_${version}${isRefund ? 'r' : ''}`;
}

// Nine digits always fit an integer column of the database; ten digits may not.
const EVENT_ID = /^evt_([0-9a-z]{26})_([1-9][0-9]{0,8})(r?)$/;

/** Undefined: the text is not the id of a transaction's event. */
export function placeOfEvent(id: string): EventPlace | undefined {
  const [, body, version, refund] = EVENT_ID.exec(id) ?? [];
  const transactionId = `txn_${body}`;
  if (version === undefined || !isId('txn', transactionId)) return undefined;
  return { transactionId, version: Number(version), isRefund: refund === 'r' };
}

/** Whether a text has the form of an event id, either of a transaction or of the account. */
export function isEventId(text: string): boolean {
  return placeOfEvent(text) !== undefined || isId('evt', text);
}

/** Whether a subscription (`transaction.completed`, `transaction.*`) covers a type. Null subscribes to all types. */
export function isSubscribedTo(subscriptions: readonly string[] | null, type: EventType): boolean {
  if (subscriptions === null) return true;
  return subscriptions.some(
    (each) => each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))),
  );
}

/** Whether a text is an event type, or a group such as `transaction.*` that contains at least one type. */
export function isSubscription(text: string): boolean {
  if (EVENT_TYPES.some((type) => type === text)) return true;
  return text.endsWith('.*') && EVENT_TYPES.some((type) => type.startsWith(text.slice(0, -1)));
}
