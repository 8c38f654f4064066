// A quote: a price that holds for one business, one mode and one transaction until it expires, whatever happens to rates and
// fees meanwhile.
import type { UsedSource } from '../rates/board.ts';
import type { Currency } from '../rates/rates.ts';
import type { TransactionType } from '../records/states.ts';
import type { Mode } from '../values/mode.ts';

export interface Quote {
  readonly id: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly side: TransactionType;
  /** In hundredths of the currency, as it was asked for. */
  readonly amountMinor: bigint;
  readonly currency: Currency | 'NGN';
  /** Null: the transaction may use any network. */
  readonly network: string | null;
  /** What the transaction must be about, in kobo. */
  readonly nairaMinor: bigint;
  readonly feeMinor: bigint;
  /** Naira per unit of the currency, in ten-thousandths; 10,000 for naira. */
  readonly rateE4: bigint;
  /** Empty for naira. */
  readonly sources: readonly UsedSource[];
  /** The stored decision the rate is from; null for naira. */
  readonly decisionId: string | null;
  /** By the database's clock. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The transaction that used it; null: it is unused. */
  readonly transactionId: string | null;
}
