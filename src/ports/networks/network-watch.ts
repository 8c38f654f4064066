// What an operator monitors on a network: outflows from the treasury, its balance, and the state of its providers.
/** Our tokens that were seen leaving the treasury, whether or not this service signed the transfer. */
export interface Outflow {
  readonly txHash: string;
  /** The hash of the inner transaction, if this one wraps another (a fee bump). */
  readonly innerHash: string | null;
  /** Distinguishes several outflows of one transaction. */
  readonly index: number;
  readonly to: string | null;
  readonly amountMinor: bigint;
}

export interface OutflowPage {
  /**
   * The outflows that any provider shows since the position; an outflow that is not final is returned again until it is final.
   */
  readonly outflows: readonly Outflow[];
  /** Transfers that cannot be interpreted: sends stop, because one of them may be an outflow. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** All outflows up to this position are final and were returned. */
  readonly position: string;
  /**
   * The balance at this position, minus the previous balance and minus the transfers listed between the two positions; omitted if
   * unknown. If it is not 0, a transfer is missing from the list, or the list and the balance are from different positions.
   */
  readonly unlistedMinor?: bigint;
  /** Whether some outflows could not be shown now. Nothing may be signed until they are shown. */
  readonly incomplete?: boolean;
}

/** The balance of the treasury as the chain reports it. */
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
  /** If the balance is below one of these values, an operator is alerted and no payment is signed. */
  readonly marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint };
}

/** The state of a provider of a network, as this process sees it. */
export interface ProviderState {
  /** The host of the provider, without any part of its address that may be a key. */
  readonly name: string;
  /** The error of the last query; null if the provider responded. */
  readonly problem: string | null;
  /** The number of failures since the start. */
  readonly failures: number;
  /** How long the provider has not responded. */
  readonly silentMs: number;
}

export interface NetworkWatch {
  /**
   * The outflows of the treasury since a position, from all providers that respond, because each may know outflows that the
   * others do not. With null, observation starts now, and no outflow is returned. Throws if no provider responds.
   */
  outflows(position: string | null): Promise<OutflowPage>;
  /** Reads the balance; null if the treasury cannot run out. */
  treasury(): Promise<Treasury | null>;
  /**
   * The tokens of the treasury in a state that the network reports as final: the lower balance of two providers, or the balance
   * of the only provider. Null if the treasury cannot run out. Throws if fewer providers respond.
   */
  finalTokens(): Promise<bigint | null>;
  /** Reads the state of all providers of the network; empty if it has none. Never throws. */
  providers(): Promise<readonly ProviderState[]>;
}
