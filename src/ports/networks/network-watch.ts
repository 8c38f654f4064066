// What an operator monitors on a network: outflows from the treasury, its balance, and the state of its providers.
/** Our tokens that were seen leaving the treasury, whether or not this service signed the transfer. */
export interface Outflow {
  readonly txHash: string;
  /** The hash of the inner network transaction, if this network transaction wraps another one (a fee bump). */
  readonly innerHash: string | null;
  /** Distinguishes several outflows of one network transaction. */
  readonly index: number;
  readonly to: string | null;
  readonly amountMinor: bigint;
}

export interface OutflowPage {
  /**
   * The outflows that any provider shows since the position. An outflow that is not final is returned again until it is final.
   */
  readonly outflows: readonly Outflow[];
  /** Transfers that the service cannot interpret. One of them may be an outflow, so sends stop. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** All outflows up to this position are final and were returned. */
  readonly position: string;
  /**
   * The change of the balance since the previous position, minus the listed transfers between the two positions; omitted if
   * unknown. If it is not 0, a transfer is missing from the list, or the list and the balance are from different positions.
   */
  readonly unlistedMinor?: bigint;
  /** Whether the provider could not show some outflows now. The service must sign nothing until it has seen them. */
  readonly incomplete?: boolean;
}

export interface Treasury {
  readonly wallet: string;
  readonly tokenMinor: bigint;
  readonly native: {
    readonly asset: string;
    readonly decimals: number;
    /** The amount that the treasury can spend. */
    readonly amountMinor: bigint;
    readonly lockedMinor: bigint;
  };
  /** If the balance is below one of these values, the service alerts an operator and signs no payment. */
  readonly marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint };
}

export interface ProviderState {
  /** The host of the provider, without any part of its address that may be a key. */
  readonly name: string;
  /** The error of the last query; null if the provider responded. */
  readonly problem: string | null;
  /** The number of failed queries since the start of the process. */
  readonly failures: number;
  /** The milliseconds since the provider last responded. */
  readonly silentMs: number;
}

export interface NetworkWatch {
  /**
   * Reads the outflows of the treasury since a position from all responding providers, because each provider may know outflows
   * that others do not know. If the position is null, observation starts now and the list is empty. It throws if no provider
   * responds.
   */
  outflows(position: string | null): Promise<OutflowPage>;
  /** Reads the balance of the treasury; null if the treasury cannot run out. */
  treasury(): Promise<Treasury | null>;
  /**
   * Reads the tokens of the treasury in a state that the network reports as final. The result is the lower balance of two
   * providers, or the balance of the only provider. Null if the treasury cannot run out. It throws if too few providers
   * respond.
   */
  finalTokens(): Promise<bigint | null>;
  /** Reads the state of all providers; the list is empty if the network has none. It never throws. */
  providers(): Promise<readonly ProviderState[]>;
}
