// All facts that matching may use about a credit and a claim. The same facts always give the same decision, so an earlier
// decision can be repeated.

export interface CreditFacts {
  readonly id: string;
  readonly amountMinor: bigint;
  /** The account number of the payer: all ten digits, or a masked number such as ******0011 or XXXXXX011. */
  readonly payerAccount: string | null;
  readonly payerName: string | null;
  /** The code of the payer's bank, in the same form as the bank code of a claim. */
  readonly payerBankCode: string | null;
  readonly narration: string | null;
  readonly valueAtMs: number;
  readonly receivedAtMs: number;
}

export interface ClaimFacts {
  readonly transactionId: string;
  readonly reference: string;
  readonly businessId: string;
  /** The network and the address of the wallet. */
  readonly walletKey: string | null;
  readonly amountMinor: bigint;
  readonly receivedMinor: bigint;
  /** Payments of a part of the claim that wait for review, without this credit. */
  readonly parts: readonly { readonly creditId: string; readonly amountMinor: bigint }[];
  readonly accountNumber: string;
  readonly accountName: string | null;
  readonly bankCode: string | null;
  readonly flags: readonly string[];
  readonly state: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}
