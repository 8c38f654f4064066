// Reports of a bank that are not credits: the bank reversed a credit, returned a payout, or paid a payout late.
import type { Mode } from '../values/mode.ts';

/** `payout_paid_late`: the rail paid a payout that it had reported as failed or had returned. */
export type NoticeKind = 'credit_reversed' | 'payout_returned' | 'payout_paid_late';

export interface BankNotice {
  readonly id: string;
  readonly mode: Mode;
  readonly source: string;
  readonly sourceId: string;
  readonly kind: NoticeKind;
  /** The bank's id for the credit, or our own reference for the payout. */
  readonly about: string;
  readonly amountMinor: bigint;
  readonly receivedAtMs: number;
  readonly raw: unknown;
  readonly state: 'open' | 'done' | 'review';
  readonly version: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
}
