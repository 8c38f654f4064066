// What an operator watches of a network: what leaves the treasury, what it holds, and how its providers are doing.
/** Tokens of ours seen leaving the treasury, whether or not this service signed for it. */
export interface Outflow {
  readonly txHash: string;
  /** Of a transaction that wraps another one (a fee bump): the hash of the inner one. */
  readonly innerHash: string | null;
  /** Distinguishes the outflows of one transaction. */
  readonly index: number;
  readonly to: string | null;
  readonly amountMinor: bigint;
}

export interface Outflows {
  /** All that any provider shows since the position; what is not yet final is shown again until it is. */
  readonly outflows: readonly Outflow[];
  /** What came and makes no sense: it may be an outflow, so sends stop for it, too. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** Everything up to here is final and was shown. */
  readonly position: string;
  /**
   * What the treasury holds at the position, less what it held at the one before and the transfers listed between them; left out
   * where that cannot be said. Not 0: a transfer is not listed, or the list and the balance are not equally far.
   */
  readonly unlistedMinor?: bigint;
  /** True: there is more that could not be shown now. Nothing may be signed until it is. */
  readonly incomplete?: boolean;
}

/** What the wallet that pays holds, as the chain says. */
export interface Treasury {
  readonly wallet: string;
  readonly tokenMinor: bigint;
  readonly native: {
    readonly asset: string;
    readonly decimals: number;
    /** What may be spent. */
    readonly amountMinor: bigint;
    /** What lies there besides and the network keeps locked. */
    readonly lockedMinor: bigint;
  };
  /** Below these an operator is called; below zero payments of fees nothing is signed. */
  readonly marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint };
}

/** A provider of a network, as this process sees it. */
export interface ProviderState {
  /** Where it is, and nothing of its address that may be a key. */
  readonly name: string;
  /** What it failed with when it was last asked; null: it answered. */
  readonly problem: string | null;
  /** How often it has failed since the start. */
  readonly failures: number;
  /** For how long it has answered nothing. */
  readonly silentMs: number;
}

export interface NetworkWatch {
  /**
   * What left the treasury since a position, by all providers that answer, each of which may know of something the others
   * do not. Null: begins now, and shows nothing. Throws when none answers.
   */
  outflows(position: string | null): Promise<Outflows>;
  /** Null where the treasury cannot run out of anything. */
  treasury(): Promise<Treasury | null>;
  /**
   * Tokens that the treasury holds for good, in a state the network calls final: the least that two providers say, or what the
   * only one says. Null where the treasury cannot run out. Throws when fewer answer.
   */
  finalTokens(): Promise<bigint | null>;
  /** How all of its providers are doing; empty where there are none. Never throws. */
  providers(): Promise<readonly ProviderState[]>;
}
