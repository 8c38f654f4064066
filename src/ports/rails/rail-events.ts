// What a rail with events does: it authenticates them, extracts their subject, and queries the rail about it. An event only says
// what to query. Its amounts, accounts and states are never read: app/settlement/process-rail-events.ts gives value.
import type { CreditLine, NoticeLine } from './rail-statement.ts';

/** One webhook call of a rail, as received. */
export interface RailMessage {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The caller's address. */
  readonly address: string;
}

/** The subject of an event, without the event's claims about it. */
export type RailEventTopic =
  /** Received or reversed money: `verify` queries the rail with `about`. */
  | { readonly kind: 'credit'; readonly type: string; readonly about: string }
  /**
   * A payout of ours, by its reference. `isPaid`: the outcome according to the event, used only to decide whether a
   * query is urgent.
   */
  | { readonly kind: 'payout'; readonly type: string; readonly about: string; readonly isPaid: boolean }
  /** An event of a type that changes nothing here, or of an unknown form. */
  | { readonly kind: 'other'; readonly type: string };

export type RailEventVerdict =
  /** The rail knows the credit, and it is settled. The line is the same as in the statement. */
  | { readonly kind: 'credit'; readonly line: CreditLine }
  /** The rail itself reports that it was reversed. */
  | { readonly kind: 'reversed'; readonly notice: NoticeLine }
  /** The transfer ended without money for us, or did not go to one of our accounts. */
  | { readonly kind: 'no_value'; readonly why: string }
  /** The rail knows the transfer, but it is not settled. */
  | { readonly kind: 'not_yet'; readonly why: string }
  | { readonly kind: 'not_found' }
  /** There was no answer, or the answer proves nothing. */
  | { readonly kind: 'unknown'; readonly why: string };

/** `rejected`: the event is stored, and will not be processed. */
export type RailEventReceipt = 'stored' | 'known' | 'rejected';

export interface RailEvents {
  /** The last parts of the paths that receive the events: POST /rails/{place}/events. */
  readonly places: readonly string[];
  /** Whether the event is proven to come from the rail, by its unchanged bytes. */
  isProven(message: RailMessage): boolean;
  read(body: Uint8Array): RailEventTopic;
  /** The body of the response with status 200. */
  answer(body: Uint8Array, taken: RailEventReceipt): unknown;
  /** Queries the rail. It does not throw because of an answer or a missing answer of the rail. */
  verify(about: string): Promise<RailEventVerdict>;
  /** The source id of the credit that `about` names. Missing: it cannot be derived. */
  creditNamed?(about: string): string;
}
