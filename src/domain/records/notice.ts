// What a bank reports besides credits: that it took a credit back, or that a payout was returned.
import type { Mode } from '../values/mode.ts';

/** `payout_paid_late`: a payout that the rail had called failed, or had returned, was paid after all. */
export type NoticeKind = 'credit_reversed' | 'payout_returned' | 'payout_paid_late';

export interface BankNotice {
  readonly id: string;
  readonly mode: Mode;
  /** The rail that reported it. */
  readonly source: string;
  readonly sourceId: string;
  readonly kind: NoticeKind;
  /** The credit's name at the bank, or our own reference of the payout. */
  readonly about: string;
  readonly amountMinor: bigint;
  readonly receivedAtMs: number;
  readonly raw: unknown;
  readonly state: 'open' | 'done' | 'review';
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
}
