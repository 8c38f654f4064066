// How deposits on a network are observed: where they arrive, which ones arrived since a position, and when they are final.
/** The deposit target: where a customer sends tokens for one sell. */
export interface DepositTarget {
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: 'id' | null;
}

/** Tokens that were seen arriving at one of our addresses. */
export interface Sighting {
  readonly txHash: string;
  readonly txIndex: number;
  readonly address: string;
  readonly memo: string | null;
  readonly sender: string | null;
  /** Whether it is our token; it is identified by contract or issuer, never by symbol. */
  readonly ourToken: boolean;
  readonly amountMinor: bigint;
  readonly final: boolean;
  /** The time of its block or ledger; null or absent if the network gives none. */
  readonly chainAtMs?: number | null;
}

export interface DepositObservation {
  readonly sightings: readonly Sighting[];
  /** Transfers that cannot be interpreted: they are stored as received and do not stop anything. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** The position for the next observation; it is stored with the sightings in one commit. */
  readonly position: string;
}

/** The addresses to watch. */
export interface DepositAddresses {
  /** Deposit addresses that are recent enough to expect more tokens. */
  recent(): Promise<readonly string[]>;
  /**
   * Older addresses, in pages, oldest first, for a network that must query every address separately. `after`: the `next` of the
   * page before, or null for the first page; `next` is null after the last page.
   */
  older?(
    after: string | null,
  ): Promise<{ readonly addresses: readonly string[]; readonly next: string | null }>;
  /** Returns those of these addresses that are our deposit addresses, of any age. */
  ours(addresses: readonly string[]): Promise<ReadonlySet<string>>;
}

/** A sighting to query again. */
export interface PendingSighting {
  readonly txHash: string;
  readonly txIndex: number;
  readonly address: string;
  /** The memo, if all orders share one address; empty or null if there is none. */
  readonly memo: string | null;
  readonly amountMinor: bigint;
  /** Other deposits that were seen at the same address, whether final or not. */
  readonly beside?: readonly { readonly txHash: string; readonly amountMinor: bigint }[];
}

/** `gone`: a reorganisation of the chain removed the deposit permanently. */
export type Confirmation = 'pending' | 'final' | 'gone' | 'unknown' | ShortDeposit;

/**
 * The deposit is final, but its address holds less than the token's transfer log shows, for example because the token takes a
 * hidden fee or its issuer removed tokens. Such a deposit does not count.
 */
export interface ShortDeposit {
  /** The missing amount in the token's minor units. */
  readonly missingMinor: bigint;
}

export function isShortDeposit(answer: Confirmation): answer is ShortDeposit {
  return typeof answer === 'object';
}

export interface NetworkObserver {
  /** The interval between two observations; providers limit the number of requests. */
  readonly observeEveryMs: number;
  /** Whether deposits arrive at separate addresses and must be moved into the treasury. */
  readonly sweeps: boolean;
  /** A deposit target for this transaction only. The same id always gives the same target. */
  depositTarget(transactionId: string): DepositTarget;
  /** Reads the transfers since a position; with null, from the beginning. */
  observe(position: string | null, watch: DepositAddresses): Promise<DepositObservation>;
  /**
   * Reads the current state of a sighting. `byTwo`: the deposit is final only if two providers agree, even for a small amount.
   */
  confirm(sighting: PendingSighting, how?: { readonly byTwo: boolean }): Promise<Confirmation>;
}
