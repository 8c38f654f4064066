// What a rail with events does: it authenticates them, extracts their subject, and queries the rail about that subject. An event
// only tells the service what to query. The service never reads amounts, accounts or states from an event:
// app/settlement/process-rail-events.ts gives value.
import type { CreditLine, NoticeLine } from './rail-statement.ts';

/** One webhook call of a rail, as received. */
export interface RailMessage {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The caller's address. */
  readonly address: string;
}

/** The subject of an event, without what the event says about it. */
export type RailEventTopic =
  /** Received or reversed money: `verify` queries the rail with `about`. */
  | { readonly kind: 'credit'; readonly type: string; readonly about: string }
  /**
   * One of our payouts, by its reference. `isPaid`: the outcome that the event reports; it only decides whether a query is
   * urgent.
   */
  | { readonly kind: 'payout'; readonly type: string; readonly about: string; readonly isPaid: boolean }
  /** An event whose type changes nothing here, or whose format is unknown. */
  | { readonly kind: 'other'; readonly type: string };

export type RailEventVerdict =
  /** The rail knows the credit, and it is settled. The line is the same as in the statement. */
  | { readonly kind: 'credit'; readonly line: CreditLine }
  /** The rail itself reports that the credit was reversed. */
  | { readonly kind: 'reversed'; readonly notice: NoticeLine }
  /** The transfer ended and we received no money, or it did not go to one of our accounts. */
  | { readonly kind: 'no_value'; readonly why: string }
  /** The rail knows the transfer, but it is not settled. */
  | { readonly kind: 'not_yet'; readonly why: string }
  | { readonly kind: 'not_found' }
  /** There was no response, or the response proves nothing. */
  | { readonly kind: 'unknown'; readonly why: string };

/** `rejected`: the event is stored, and will not be processed. */
export type RailEventReceipt = 'stored' | 'known' | 'rejected';

export interface RailEvents {
  /** The `place` parts of the paths that receive the events: POST /rails/{place}/events. */
  readonly places: readonly string[];
  /** Whether the unchanged bytes prove that the event comes from the rail. */
  isProven(message: RailMessage): boolean;
  read(body: Uint8Array): RailEventTopic;
  /** The body of the response with status 200. */
  answer(body: Uint8Array, taken: RailEventReceipt): unknown;
  /** Queries the rail. An error response or a missing response of the rail does not throw. */
  verify(about: string): Promise<RailEventVerdict>;
  /** The source id of the credit that `about` refers to. Missing if it cannot be derived. */
  creditNamed?(about: string): string;
}
