// What the service needs of its database, in its own words. Every write is all or nothing; a promise that resolves
// means the data is durable.
import type { Change, TimelineEntry } from '../domain/records/change.ts';
import type { BankCredit } from '../domain/records/credit.ts';
import type { Deposit } from '../domain/records/deposit.ts';
import type { Attempt, Movement, MovementState } from '../domain/records/movement.ts';
import type { BankNotice } from '../domain/records/notice.ts';
import type { State } from '../domain/records/states.ts';
import type { Transaction, TransactionFilter, Wallet } from '../domain/records/transaction.ts';
import type { Mode } from '../domain/values/mode.ts';
import type { Turn } from './network.ts';

/** The database did not answer, or its answer was lost. Nothing may be assumed about what it did. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** False only when it is certain that nothing was sent. */
  readonly mayHaveActed: boolean;

  constructor(message: string, options: { cause?: unknown; mayHaveActed: boolean }) {
    super(message, { cause: options.cause });
    this.mayHaveActed = options.mayHaveActed;
  }
}

export interface Scope {
  readonly businessId: string;
  readonly mode: Mode;
}

/** Binds an Idempotency-Key to the request it came with. */
export interface IdempotencyClaim {
  readonly key: string;
  readonly requestHash: string;
}

export interface Acceptance {
  readonly transaction: Transaction;
  /** Hash of the recognised fields after normalisation; decides whether a repeated reference is the same request. */
  readonly bodyHash: string;
  readonly idempotency: IdempotencyClaim | null;
  /** The key that asked: one revoked before the commit accepts nothing. */
  readonly keyId: string;
  /** The story the sandbox shall tell about it. */
  readonly scenario: string | null;
}

export type AcceptOutcome =
  | { readonly kind: 'created' }
  | { readonly kind: 'repeated'; readonly transaction: Transaction }
  | { readonly kind: 'reference_reused' }
  | { readonly kind: 'idempotency_key_reused' }
  /** The destination is a deposit address of our own. */
  | { readonly kind: 'wallet_is_ours' }
  | { readonly kind: 'key_revoked' };

export type CommitOutcome =
  | { readonly kind: 'committed' }
  /** A record has moved on: read again and decide again. */
  | { readonly kind: 'stale' }
  /** The database's own rule forbids it; which one. */
  | { readonly kind: 'refused'; readonly constraint: string };

/** What to take off a queue: the oldest due first, each leased to the caller and its version raised. */
export interface ClaimRequest {
  readonly atMs: number;
  readonly leaseMs: number;
  readonly limit: number;
}

/** The right to read one feed, for a while. */
export interface FeedHold {
  readonly name: string;
  /** Rises with every new holder. */
  readonly fence: number;
  /** Up to where it was read; null: never. */
  readonly position: string | null;
}

/** So many claims of one kind are told unless more are asked for; more are not shown to people one by one. */
export const FEW_CLAIMS = 25;

/** The claims a credit may pay, and the credits that look exactly like it. */
export interface Candidates {
  readonly claims: readonly Transaction[];
  /** Ids of open credits with the same account, amount and payer, oldest first, this one included. */
  readonly equalCredits: readonly string[];
  /** There are more claims than are told here: which one is meant cannot be said. */
  readonly more: boolean;
}

/** A line of the timeline; the acceptance comes from nowhere. */
export interface TimelineLine extends Omit<TimelineEntry, 'from'> {
  readonly from: State | null;
  readonly atMs: number;
}

export interface Store {
  accept(acceptance: Acceptance): Promise<AcceptOutcome>;
  /**
   * Each change whole or not at all, in any order; answers in the order given. A change that records what is recorded
   * already is `stale`. The position of the feed that the changes were read from moves with them, unless another reader
   * has taken over.
   */
  commit(
    changes: readonly Change[],
    feed?: { readonly hold: FeedHold; readonly position: string },
  ): Promise<readonly CommitOutcome[]>;

  claimTransactions(states: readonly State[], request: ClaimRequest): Promise<readonly Transaction[]>;
  claimCredits(request: ClaimRequest): Promise<readonly BankCredit[]>;
  claimDeposits(request: ClaimRequest): Promise<readonly Deposit[]>;
  claimMovements(states: readonly MovementState[], request: ClaimRequest): Promise<readonly Movement[]>;
  claimNotices(request: ClaimRequest): Promise<readonly BankNotice[]>;

  /** Takes or renews the right to read a feed; undefined while another holds it. */
  holdFeed(name: string, holder: string, atMs: number, leaseMs: number): Promise<FeedHold | undefined>;
  /** What is taken and under way of a wallet whose payments have an order. */
  turnOf(mode: Mode, network: string, wallet: string): Promise<Turn>;
  /** Deposit addresses of sells made since then. */
  depositAddresses(mode: Mode, network: string, sinceMs: number): Promise<readonly string[]>;
  /** Deposit addresses of sells made before then, in the order of their ids, after one of them. */
  oldDepositAddresses(
    mode: Mode,
    network: string,
    range: { readonly beforeMs: number; readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly { readonly transactionId: string; readonly address: string }[]>;
  /** Which of these are deposit addresses of ours. */
  ownDepositAddresses(
    mode: Mode,
    network: string,
    addresses: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Which sell each target belongs to, in the order asked. */
  findDepositTargets(
    mode: Mode,
    network: string,
    targets: readonly { readonly address: string; readonly memo: string }[],
  ): Promise<readonly (string | undefined)[]>;

  /** Of each kind at most so many claims and one more; FEW_CLAIMS unless said otherwise. */
  findCandidates(
    credits: readonly BankCredit[],
    windowMs: number,
    most?: number,
  ): Promise<ReadonlyMap<string, Candidates>>;
  /** Open credits that a new claim might explain are looked at again now. Answers how many. */
  hastenCredits(claims: readonly Transaction[], atMs: number): Promise<number>;
  /** Which of these credits an open notice says are taken back; those notices are looked at now. */
  hastenNotices(credits: readonly BankCredit[], atMs: number): Promise<ReadonlySet<string>>;
  /** Refunds that wait for a destination are looked at again now. */
  hastenRefunds(transactionId: string, atMs: number): Promise<void>;

  transactionsById(ids: readonly string[]): Promise<ReadonlyMap<string, Transaction>>;
  creditsById(ids: readonly string[]): Promise<ReadonlyMap<string, BankCredit>>;
  /** What a credit was split into. */
  partsOf(creditId: string): Promise<readonly BankCredit[]>;
  depositsOf(transactionIds: readonly string[]): Promise<readonly Deposit[]>;
  creditsOf(transactionIds: readonly string[]): Promise<readonly BankCredit[]>;
  movementsOf(transactionIds: readonly string[]): Promise<readonly Movement[]>;
  /** Movements of a credit that belongs to no transaction. */
  movementsOfCredit(creditId: string): Promise<readonly Movement[]>;
  movementById(id: string): Promise<Movement | undefined>;
  /** The last attempt of each movement. */
  lastAttempts(movementIds: readonly string[]): Promise<ReadonlyMap<string, Attempt>>;
  /** The deposits that were recorded for these transfers, in the order asked. */
  findDeposits(
    mode: Mode,
    network: string,
    transfers: readonly { readonly txHash: string; readonly txIndex: number }[],
  ): Promise<readonly (Deposit | undefined)[]>;
  findCredit(mode: Mode, source: string, sourceId: string): Promise<BankCredit | undefined>;
  balances(keys: readonly string[]): Promise<ReadonlyMap<string, bigint>>;
  usage(
    keys: readonly { readonly businessId: string; readonly mode: Mode; readonly period: string }[],
  ): Promise<readonly bigint[]>;
  /** Everything that happened to a transaction, its acceptance first. */
  timeline(transactionId: string): Promise<readonly TimelineLine[]>;

  /** The transaction that this key, or else this reference, was accepted for with this very body. */
  findRepeated(
    scope: Scope,
    claims: {
      readonly reference: string | null;
      readonly idempotencyKey: string | null;
      readonly bodyHash: string;
    },
  ): Promise<Transaction | undefined>;
  findTransaction(scope: Scope, id: string): Promise<Transaction | undefined>;
  /** Newest first, by id. */
  listTransactions(scope: Scope, filter: TransactionFilter): Promise<readonly Transaction[]>;
  isDepositTarget(mode: Mode, wallet: Wallet): Promise<boolean>;
  bindIdempotencyKey(
    scope: Scope,
    claim: IdempotencyClaim,
    transactionId: string,
    atMs: number,
  ): Promise<void>;
  findIdempotencyKey(
    scope: Scope,
    key: string,
  ): Promise<{ readonly requestHash: string; readonly transactionId: string } | undefined>;
  /** Forgets keys bound before a time; answers how many. */
  purgeIdempotencyKeys(beforeMs: number): Promise<number>;
}
