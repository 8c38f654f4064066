// Events tell a business about its transactions. An event belongs to a line of the timeline, or to the acceptance of a
// transaction. The id, type and order of an event come from that line and never change.
import { STATES, type TransactionState } from '../records/states.ts';
import type { Transaction } from '../records/transaction.ts';
import { idBody, isId } from '../values/ids.ts';
import type { Mode } from '../values/mode.ts';

const STATE_EVENTS = STATES.map((state) => `transaction.${state}` as const);

/** The event types of timeline lines that do not change the state, by the reason of the line. */
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

export const EVENT_TYPES: readonly EventType[] = [
  'transaction.accepted',
  ...STATE_EVENTS,
  'transaction.updated',
  'transaction.payment_reversed',
  'transaction.payout_returned',
  'refund.completed',
  ...ACCOUNT_EVENTS,
];

/** The change that the event reports, as the timeline shows it. An acceptance has no earlier state. */
export interface EventChange {
  readonly from: TransactionState | null;
  readonly to: TransactionState;
  readonly actor: string;
  readonly reason: string;
}

/** The refund that a `refund.completed` event reports. The refund is finished, so it never changes again. */
export interface CompletedRefund {
  readonly movementId: string;
  readonly nairaMinor: bigint;
  /** Null: the refund was paid by bank. */
  readonly network: string | null;
  readonly destination: unknown;
  /** The hash of the network transaction, or our reference at the bank. */
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
  /** The transaction after the event was committed, without the fields that only workers need (due time, tries, released). */
  readonly transaction: Transaction;
  readonly change: EventChange;
  readonly refund: CompletedRefund | null;
}

export interface AccountEvent extends EventHead {
  readonly kind: 'account';
  readonly data: Readonly<Record<string, unknown>>;
  /** If this is set, only this endpoint receives the event. */
  readonly endpointId: string | null;
}

export type BusinessEvent = TransactionEvent | AccountEvent;

export function eventTypeOfLine({ from, to, reason }: Omit<EventChange, 'actor'>): EventType {
  if (from === null) return 'transaction.accepted';
  if (from !== to) return `transaction.${to}`;
  return Object.hasOwn(SAME_STATE_EVENTS, reason)
    ? SAME_STATE_EVENTS[reason as keyof typeof SAME_STATE_EVENTS]
    : 'transaction.updated';
}

/**
 * A refund that also changes the state of its transaction creates two events: first the refund event, then the event of the
 * state change.
 */
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

// A number of nine digits always fits an integer column of the database. A number of ten digits may not fit.
const EVENT_ID = /^evt_([0-9a-z]{26})_([1-9][0-9]{0,8})(r?)$/;

/** The position of an event in its timeline. Undefined: the text is not the id of a transaction's event. */
export function placeOfEvent(id: string): EventPlace | undefined {
  const [, body, version, refund] = EVENT_ID.exec(id) ?? [];
  const transactionId = `txn_${body}`;
  if (version === undefined || !isId('txn', transactionId)) return undefined;
  return { transactionId, version: Number(version), isRefund: refund === 'r' };
}

/** Whether a text has the form of an event id. Events of a transaction and events of the account have different forms. */
export function isEventId(text: string): boolean {
  return placeOfEvent(text) !== undefined || isId('evt', text);
}

/**
 * Whether the subscriptions cover an event type, by its name (`transaction.completed`) or by a group (`transaction.*`). Null
 * subscribes to all types.
 */
export function isSubscribedTo(subscriptions: readonly string[] | null, type: EventType): boolean {
  if (subscriptions === null) return true;
  return subscriptions.some(
    (each) => each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))),
  );
}

export function isSubscription(text: string): boolean {
  if (EVENT_TYPES.some((type) => type === text)) return true;
  return text.endsWith('.*') && EVENT_TYPES.some((type) => type.startsWith(text.slice(0, -1)));
}
