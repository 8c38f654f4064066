// Everything that matching may know about a credit and a claim. From these facts alone, the same decision can be made again.

/** The facts that the bank reported. */
export interface CreditFacts {
  readonly id: string;
  readonly amountMinor: bigint;
  /** All ten digits, or a masked number such as ******0011 or XXXXXX011. */
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  /** The payer's bank, with the same codes as the bank of a claim. */
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
  /** The network and the address. */
  readonly walletKey: string | null;
  readonly amountMinor: bigint;
  /** The amount that other payments have already paid. */
  readonly receivedMinor: bigint;
  /** Payments for a part of the claim that wait for review. This credit is not included. */
  readonly parts: readonly { readonly creditId: string; readonly amountMinor: bigint }[];
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly bankCode: string | null;
  readonly flags: readonly string[];
  readonly state: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}
