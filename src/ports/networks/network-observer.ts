// How the service observes deposits on a network: where they arrive, which deposits arrived since a position, and when they are
// final.
/** The deposit target: where a customer sends tokens for one sell. */
export interface DepositTarget {
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: 'id' | null;
}

export interface Sighting {
  readonly txHash: string;
  readonly txIndex: number;
  readonly address: string;
  readonly memo: string | null;
  readonly sender: string | null;
  /** Whether the arrived token is our token. The adapter identifies it by contract or issuer, never by symbol. */
  readonly ourToken: boolean;
  readonly amountMinor: bigint;
  readonly final: boolean;
  /** The time of the block or ledger that contains the transfer; null or absent if the network gives no time. */
  readonly chainAtMs?: number | null;
}

export interface DepositObservation {
  readonly sightings: readonly Sighting[];
  /** Transfers that the service cannot interpret. They are stored as received, and observation continues. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** The position for the next observation. It is stored in one commit with the deposits that were seen. */
  readonly position: string;
}

export interface DepositAddresses {
  recent(): Promise<readonly string[]>;
  /**
   * Returns older addresses in pages, oldest first, for a network that must query every address separately. `after` is the
   * `next` of the page before, or null for the first page. `next` is null after the last page.
   */
  older?(
    after: string | null,
  ): Promise<{ readonly addresses: readonly string[]; readonly next: string | null }>;
  /** Returns those of the given addresses that are our deposit addresses, of any age. */
  ours(addresses: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface PendingSighting {
  readonly txHash: string;
  readonly txIndex: number;
  readonly address: string;
  /** The memo of the deposit, if all sells share one address; empty or null if it has no memo. */
  readonly memo: string | null;
  readonly amountMinor: bigint;
  /** Other deposits that were seen at the same address, whether final or not. */
  readonly beside?: readonly { readonly txHash: string; readonly amountMinor: bigint }[];
}

/** `gone`: a reorganisation of the chain removed the deposit permanently. */
export type Confirmation = 'pending' | 'final' | 'gone' | 'unknown' | ShortDeposit;

/**
 * The deposit is final, but its address holds less than the token's transfer log shows. For example, the token takes a hidden
 * fee, or its issuer removed tokens. Such a deposit does not count.
 */
export interface ShortDeposit {
  /** The missing amount in the token's minor units. */
  readonly missingMinor: bigint;
}

export function isShortDeposit(answer: Confirmation): answer is ShortDeposit {
  return typeof answer === 'object';
}

export interface NetworkObserver {
  /** The interval between two observations. It is limited because providers limit the number of requests. */
  readonly observeEveryMs: number;
  /** Whether deposits arrive at separate addresses and must be moved into the treasury. */
  readonly sweeps: boolean;
  /** Returns a deposit target that only this transaction has. The same id always gives the same target. */
  depositTarget(transactionId: string): DepositTarget;
  /** Reads the transfers since a position. If the position is null, it reads from the beginning. */
  observe(position: string | null, watch: DepositAddresses): Promise<DepositObservation>;
  /**
   * Reads the current state of a seen deposit. `byTwo`: the deposit is final only if two providers agree, even for a small
   * amount.
   */
  confirm(sighting: PendingSighting, how?: { readonly byTwo: boolean }): Promise<Confirmation>;
}
