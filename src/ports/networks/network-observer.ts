// How deposits are seen on a network: where they come to, what came in since a position, and when it is final.
/** The deposit target: where a customer sends tokens for one sell. */
export interface DepositTarget {
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: 'id' | null;
}

/** Tokens seen arriving at an address of ours. */
export interface Sighting {
  readonly txHash: string;
  readonly txIndex: number;
  readonly address: string;
  readonly memo: string | null;
  readonly sender: string | null;
  /** Whether it is our token, by contract or issuer and never by symbol. */
  readonly ourToken: boolean;
  readonly amountMinor: bigint;
  readonly final: boolean;
  /** The time of its block or ledger; null or absent where the network gives none. */
  readonly chainAtMs?: number | null;
}

export interface DepositObservation {
  readonly sightings: readonly Sighting[];
  /** Transfers that cannot be understood: they are kept as received and stop nothing. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** The position for the next observation, stored with the sightings in one commit. */
  readonly position: string;
}

/** The addresses to watch. */
export interface DepositAddresses {
  /** Deposit addresses young enough that something may still come to them. */
  recent(): Promise<readonly string[]>;
  /**
   * Those too old for that, some at a time from the oldest on, for a network on which every address is asked about by itself.
   * `after`: the `next` of an earlier answer, null to begin; `next` is null after the last.
   */
  older?(
    after: string | null,
  ): Promise<{ readonly addresses: readonly string[]; readonly next: string | null }>;
  /** Finds the deposit addresses of ours among these, however old. */
  ours(addresses: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A sighting that is asked about again. */
export interface PendingSighting {
  readonly txHash: string;
  readonly txIndex: number;
  readonly address: string;
  /** The memo, where all orders share one address; empty or null: none. */
  readonly memo: string | null;
  readonly amountMinor: bigint;
  /** Other deposits that were seen coming to the same address, final or not. */
  readonly beside?: readonly { readonly txHash: string; readonly amountMinor: bigint }[];
}

/** `gone`: reorganised away for good. */
export type Confirmation = 'pending' | 'final' | 'gone' | 'unknown' | ShortDeposit;

/**
 * Final, and less lies at its address than came there by the token's own records, as when the token keeps a fee that its records hide,
 * or its issuer took some of it: it does not count.
 */
export interface ShortDeposit {
  /** The missing amount in the token's minor units. */
  readonly missingMinor: bigint;
}

export function isShortDeposit(answer: Confirmation): answer is ShortDeposit {
  return typeof answer === 'object';
}

export interface NetworkObserver {
  /** The interval between two observations: providers count the requests. */
  readonly observeEveryMs: number;
  /** Deposits come to addresses of their own and have to be brought into the treasury. */
  readonly sweeps: boolean;
  /** A deposit target that belongs to this transaction alone. The same id always gives the same target. */
  depositTarget(transactionId: string): DepositTarget;
  /** Reads transfers since a position; null: from the beginning. */
  observe(position: string | null, watch: DepositAddresses): Promise<DepositObservation>;
  /** Reads the current state of a sighting. `byTwo`: final only when two providers agree, however small the amount. */
  confirm(sighting: PendingSighting, how?: { readonly byTwo: boolean }): Promise<Confirmation>;
}
