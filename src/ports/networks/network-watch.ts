// What an operator monitors of a network: outflows of the treasury, its balance, and the state of its providers.
/** Our tokens that were seen leaving the treasury, whether or not this service signed the transfer. */
export interface Outflow {
  readonly txHash: string;
  /** The hash of the inner transaction, if this one wraps another (a fee bump). */
  readonly innerHash: string | null;
  /** Distinguishes the outflows of one transaction. */
  readonly index: number;
  readonly to: string | null;
  readonly amountMinor: bigint;
}

export interface OutflowPage {
  /** The outflows that any provider shows since the position; those that are not final are returned again until they are. */
  readonly outflows: readonly Outflow[];
  /** Transfers that cannot be interpreted: one may be an outflow, so sends stop. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** All outflows up to this position are final and were returned. */
  readonly position: string;
  /**
   * The balance at this position minus the previous balance and the transfers listed between them; omitted if unknown.
   * Not 0: a transfer is missing in the list, or the list and the balance are from different positions.
   */
  readonly unlistedMinor?: bigint;
  /** Whether there are outflows that could not be shown now. Nothing may be signed until they are shown. */
  readonly incomplete?: boolean;
}

/** The balance of the treasury, according to the chain. */
export interface Treasury {
  readonly wallet: string;
  readonly tokenMinor: bigint;
  readonly native: {
    readonly asset: string;
    readonly decimals: number;
    /** The spendable amount. */
    readonly amountMinor: bigint;
    /** The amount that the network keeps locked. */
    readonly lockedMinor: bigint;
  };
  /** Below one of these values an operator is alerted, and no payment is signed. */
  readonly marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint };
}

/** The state of a provider of a network, as this process sees it. */
export interface ProviderState {
  /** The host of the provider, without any part of its address that may be a key. */
  readonly name: string;
  /** The error of the last query; null: it answered. */
  readonly problem: string | null;
  /** The number of failures since the start. */
  readonly failures: number;
  /** How long it has not answered. */
  readonly silentMs: number;
}

export interface NetworkWatch {
  /**
   * The outflows of the treasury since a position, from all providers that answer, because each may know outflows that
   * the others do not. Null: starts now and returns none. Throws if no provider answers.
   */
  outflows(position: string | null): Promise<OutflowPage>;
  /** Reads the balance; null: the treasury cannot run out. */
  treasury(): Promise<Treasury | null>;
  /**
   * The tokens of the treasury in a state that the network reports as final: the lower of two providers' balances, or
   * the balance of the only provider. Null: the treasury cannot run out. Throws if fewer providers answer.
   */
  finalTokens(): Promise<bigint | null>;
  /** Reads the state of all its providers; empty: it has none. Never throws. */
  providers(): Promise<readonly ProviderState[]>;
}
