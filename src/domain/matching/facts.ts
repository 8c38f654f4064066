// What matching may know of a credit and of a claim, and nothing else: a decision can be made again from these
// facts alone.

/** The facts that the bank reported. */
export interface CreditFacts {
  readonly id: string;
  readonly amountMinor: bigint;
  /** All ten digits, or masked such as ******0011 or XXXXXX011. */
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  /** The payer's bank, by the same code as the claim's. */
  readonly payerBankCode: string | null;
  readonly narration: string | null;
  readonly valueAtMs: number;
  readonly receivedAtMs: number;
}

/** An open buy. */
export interface ClaimFacts {
  readonly transactionId: string;
  readonly reference: string;
  readonly businessId: string;
  /** Network and address. */
  readonly walletKey: string | null;
  readonly amountMinor: bigint;
  /** The amount that other payments have already paid. */
  readonly receivedMinor: bigint;
  /** Payments for a part of it that wait for review; this credit is none of them. */
  readonly parts: readonly { readonly creditId: string; readonly amountMinor: bigint }[];
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly bankCode: string | null;
  readonly flags: readonly string[];
  readonly state: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}
