// What the service needs of a bank, in its own words: who owns an account, pay out, ask what became of it, and what
// came in. Every adapter passes test/contract/bank.ts.

import type { AccountDestination } from '../domain/records/movement.ts';
import type { Mode } from '../domain/values/mode.ts';

export interface PayoutOrder {
  /** Ours, and the same for every try: the bank pays a reference at most once. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly destination: AccountDestination;
  /** The transaction it is for; goes into the narration. */
  readonly about: string | null;
}

export interface NameQuestion {
  readonly bankCode: string;
  readonly accountNumber: string;
  /** What our customer says the name is: some rails want it with the question. */
  readonly expectedName: string | null;
  readonly about: string | null;
}

export type PayoutStatus =
  | { readonly kind: 'pending' }
  | { readonly kind: 'paid'; readonly sessionId: string | null; readonly chargeMinor: bigint }
  /** Terminal: it was not paid and will not be. Everything less certain is `unknown`. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The bank has never heard of the reference. Just after an unknown outcome this proves nothing. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'unknown'; readonly reason: string };

export type NameEnquiry =
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'no_account' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Money that came into one of our accounts. */
export interface CreditLine {
  readonly kind: 'credit';
  /** Unique at this bank; a line told twice has it twice. */
  readonly sourceId: string;
  readonly accountNumber: string;
  readonly accountBankCode: string | null;
  readonly amountMinor: bigint;
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  readonly payerBankName: string | null;
  readonly narration: string | null;
  readonly sessionId: string | null;
  readonly valueAtMs: number;
  readonly raw: unknown;
}

/** The bank took a credit back, or a payout of ours returned. */
export interface NoticeLine {
  readonly kind: 'credit_reversed' | 'payout_returned';
  readonly sourceId: string;
  /** The credit's sourceId, or our reference. */
  readonly about: string;
  readonly amountMinor: bigint;
  readonly raw: unknown;
}

export interface Statement {
  readonly lines: readonly (CreditLine | NoticeLine)[];
  /** Where the next reading goes on; stored with the lines in one commit. */
  readonly position: string;
}

export interface Bank {
  /** The source its credits carry. */
  readonly name: string;
  enquireName(question: NameQuestion): Promise<NameEnquiry>;
  /** Never throws for what the bank says or fails to say: that is an outcome. */
  pay(order: PayoutOrder): Promise<PayoutStatus>;
  ask(reference: string): Promise<PayoutStatus>;
  /** What happened on our accounts since a position; null: from the beginning. */
  statement(position: string | null): Promise<Statement>;
}

export interface Banks {
  find(mode: Mode): Bank | undefined;
}
