// What a rail with events does: it authenticates an event, extracts its subject, and queries the rail about this subject. An
// event only tells the service what to query. The service never reads amounts, accounts or states from an event. Only
// app/settlement/process-rail-events.ts gives value.
import type { CreditLine, NoticeLine } from './rail-statement.ts';

export interface RailMessage {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The network address of the caller. */
  readonly address: string;
}

/** The subject of an event, without what the event says about this subject. */
export type RailEventTopic =
  /** The event is about received or reversed money. `verify` queries the rail with `about`. */
  | { readonly kind: 'credit'; readonly type: string; readonly about: string }
  /**
   * The event is about one of our payouts, by its reference. `isPaid` is the outcome that the event reports; it only decides
   * whether a query is urgent.
   */
  | { readonly kind: 'payout'; readonly type: string; readonly about: string; readonly isPaid: boolean }
  /** An event whose type has no effect in this service, or whose format is unknown. */
  | { readonly kind: 'other'; readonly type: string };

export type RailEventVerdict =
  /** The rail knows the credit, and the credit is settled. The line is the same as in the statement. */
  | { readonly kind: 'credit'; readonly line: CreditLine }
  | { readonly kind: 'reversed'; readonly notice: NoticeLine }
  /** The transfer has ended without money for us, or it went to an account that is not ours. */
  | { readonly kind: 'no_value'; readonly why: string }
  /** The rail knows the transfer, but the transfer is not settled. */
  | { readonly kind: 'not_yet'; readonly why: string }
  | { readonly kind: 'not_found' }
  /** The rail did not respond, or its response proves nothing. */
  | { readonly kind: 'unknown'; readonly why: string };

/** `rejected`: the event is stored, and the service will not process it. */
export type RailEventReceipt = 'stored' | 'known' | 'rejected';

export interface RailEvents {
  /** The service receives the events at POST /rails/{place}/events, for each of these places. */
  readonly places: readonly string[];
  /** Whether the unchanged bytes prove that the event comes from the rail. */
  isProven(message: RailMessage): boolean;
  read(body: Uint8Array): RailEventTopic;
  /** Returns the body of the response with status 200. */
  answer(body: Uint8Array, taken: RailEventReceipt): unknown;
  /** Queries the rail. An error response or a missing response of the rail does not throw. */
  verify(about: string): Promise<RailEventVerdict>;
  /** Returns the source id of the credit that `about` names. Missing if the source id cannot be derived from `about`. */
  creditNamed?(about: string): string;
}
