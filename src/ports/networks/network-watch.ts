// What an operator watches of a network: what leaves the treasury, what it holds, and how its providers are doing.
/** Tokens of ours seen leaving the treasury, whether or not this service signed for it. */
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
  /** The outflows that any provider shows since the position; those that are not final are shown again until they are. */
  readonly outflows: readonly Outflow[];
  /** Transfers that cannot be understood: one may be an outflow, so sends stop. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** Everything up to here is final and was shown. */
  readonly position: string;
  /**
   * What the treasury holds at the position, less what it held at the one before and the transfers listed between them; left out
   * where that cannot be said. Not 0: a transfer is not listed, or the list and the balance are not equally far.
   */
  readonly unlistedMinor?: bigint;
  /** Whether outflows exist that could not be shown now. Nothing may be signed until they are. */
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
  /** Below these an operator is called; below zero payments of fees nothing is signed. */
  readonly marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint };
}

/** A provider of a network, as this process sees it. */
export interface ProviderState {
  /** The host of the provider, without any part of its address that may be a key. */
  readonly name: string;
  /** What it failed with when it was last asked; null: it answered. */
  readonly problem: string | null;
  /** The number of failures since the start. */
  readonly failures: number;
  /** The time without an answer. */
  readonly silentMs: number;
}

export interface NetworkWatch {
  /**
   * What left the treasury since a position, by all providers that answer, each of which may know of something the others
   * do not. Null: begins now, and shows nothing. Throws when none answers.
   */
  outflows(position: string | null): Promise<OutflowPage>;
  /** Reads the balance; null: the treasury cannot run out. */
  treasury(): Promise<Treasury | null>;
  /**
   * Tokens that the treasury holds for good, in a state the network calls final: the least that two providers say, or what the
   * only one says. Null where the treasury cannot run out. Throws when fewer answer.
   */
  finalTokens(): Promise<bigint | null>;
  /** Reads the state of all its providers; empty: it has none. Never throws. */
  providers(): Promise<readonly ProviderState[]>;
}
