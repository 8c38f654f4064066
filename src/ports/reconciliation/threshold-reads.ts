// Single transfers above an amount, for threshold reports: what came in for buys, and what was paid out.
import type { Mode } from '../../domain/values/mode.ts';

export interface LargeTransfer {
  /** The credit or the movement. */
  readonly id: string;
  readonly direction: 'in' | 'out';
  readonly kind: 'buy' | 'credit' | 'sell' | 'refund';
  readonly mode: Mode;
  readonly atMs: number;
  readonly amountMinor: bigint;
  readonly state: string;
  readonly transactionId: string | null;
  readonly businessId: string | null;
  readonly businessName: string | null;
  /** Ours, by its name in the ledger; null: the simulated bank. */
  readonly ourAccount: string | null;
  readonly otherName: string | null;
  readonly otherAccount: string | null;
  readonly otherBank: string | null;
  readonly reference: string;
  readonly sessionId: string | null;
  readonly narration: string | null;
  readonly wallet: string | null;
}

export interface LargeTransferFilter {
  readonly mode: Mode;
  readonly fromMs: number;
  readonly toMs: number;
  /** More than this. */
  readonly aboveMinor: bigint;
  readonly after: Pick<LargeTransfer, 'atMs' | 'id'> | null;
  readonly limit: number;
}

export interface ThresholdReads {
  /** The oldest first. */
  largeTransfers(filter: LargeTransferFilter): Promise<readonly LargeTransfer[]>;
}
