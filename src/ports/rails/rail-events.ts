// What a rail that sends events does: prove them, say what each is about, and answer what the rail itself knows about it. An event
// says only what to ask about. Its amounts, accounts and states are never read: app/settlement/process-rail-events.ts gives value.
import type { CreditLine, NoticeLine } from './rail-statement.ts';

/** One webhook call of a rail, as received. */
export interface RailMessage {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The caller's address. */
  readonly address: string;
}

/** The subject of an event, without its claims about it. */
export type RailEventTopic =
  /** Money that came in, or was taken back: `about` is what `verify` asks by. */
  | { readonly kind: 'credit'; readonly type: string; readonly about: string }
  /** A payout of ours, by its reference. `isPaid`: how it ended by the event, which decides only whether asking is urgent. */
  | { readonly kind: 'payout'; readonly type: string; readonly about: string; readonly isPaid: boolean }
  /** An event of a type that changes nothing here, or of an unknown form. */
  | { readonly kind: 'other'; readonly type: string };

export type RailEventVerdict =
  /** The rail has it, and it is settled. The line is the one that the statement would hand out. */
  | { readonly kind: 'credit'; readonly line: CreditLine }
  /** The rail itself says that it was taken back. */
  | { readonly kind: 'reversed'; readonly notice: NoticeLine }
  /** The transfer ended without money for us, or is not to one of our accounts. */
  | { readonly kind: 'no_value'; readonly why: string }
  /** The rail has it, and it is not settled. */
  | { readonly kind: 'not_yet'; readonly why: string }
  | { readonly kind: 'not_found' }
  /** No answer, or one that proves nothing. */
  | { readonly kind: 'unknown'; readonly why: string };

/** `rejected`: it is stored, and nothing will be done with it. */
export type RailEventReceipt = 'stored' | 'known' | 'rejected';

export interface RailEvents {
  /** The last parts of the paths that receive the events: POST /rails/{place}/events. */
  readonly places: readonly string[];
  /** Whether it is proven to come from the rail, over the bytes as they came. */
  isProven(message: RailMessage): boolean;
  read(body: Uint8Array): RailEventTopic;
  /** The body of the answer with status 200. */
  answer(body: Uint8Array, taken: RailEventReceipt): unknown;
  /** Asks the rail. It does not throw because of what the rail answers or fails to answer. */
  verify(about: string): Promise<RailEventVerdict>;
  /** The source id of the credit that `about` names. Missing: its name does not follow from it. */
  creditNamed?(about: string): string;
}
