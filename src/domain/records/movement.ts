// A movement is money in transit: a send, a payout, a refund, a sweep from a deposit address, or a withdrawal by the operator.
// A movement must happen once. An attempt is one try, alone or with other orders in the same signed payment. While the outcome
// is `unknown`, the attempt is queried, and there is no new attempt until the first is proven dead.
import type { Mode } from '../values/mode.ts';

export type MovementKind = 'send' | 'payout' | 'refund' | 'sweep' | 'withdrawal';
export type MovementState = 'pending' | 'sending' | 'unknown' | 'done' | 'failed' | 'returned';

export interface WalletDestination {
  readonly address: string;
}

export interface AccountDestination {
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly accountName: string | null;
}

export interface Movement {
  readonly id: string;
  readonly kind: MovementKind;
  readonly mode: Mode;
  /** Null: the movement is made by bank. */
  readonly network: string | null;
  readonly asset: string;
  /** The amount in the asset's minor units. */
  readonly amountMinor: bigint;
  /** The value of the movement in kobo. */
  readonly nairaMinor: bigint;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  readonly depositId: string | null;
  /** Null: the destination is not known yet, so the movement waits. For a sweep, this is the address to empty. */
  readonly destination: WalletDestination | AccountDestination | null;
  /**
   * The ledger name of our bank account in which the naira of the movement are reserved. Null: the movement is on a network, or
   * at the simulated bank.
   */
  readonly bankAccount: string | null;
  /** `returned`: the payment was made, and the bank returned the naira. */
  readonly state: MovementState;
  readonly reason: string | null;
  readonly version: number;
  /** The number of attempts so far. Only the last attempt is live. */
  readonly attempts: number;
  readonly dueAtMs: number | null;
  readonly tries: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export type AttemptState = 'prepared' | 'accepted' | 'unknown' | 'rejected' | 'landed' | 'failed' | 'dead';

export interface Attempt {
  readonly movementId: string;
  readonly no: number;
  readonly mode: Mode;
  /** Exactly one of network and rail is set. The attempt was made there, and it can be queried only there. */
  readonly network: string | null;
  readonly rail: string | null;
  /**
   * The hash on a network, or our own reference at a bank. A new attempt on a rail that was already tried gets another reference.
   */
  readonly reference: string;
  readonly source: string | null;
  readonly sequence: string | null;
  /** The signed bytes of the network transaction, as text. */
  readonly payload: string | null;
  readonly bound: string | null;
  readonly index: number;
  /** The ids of the movements of all orders in the signed payment, including this one. */
  readonly orders: readonly string[];
  /** Versions of the same payment that were signed again with a higher fee. At most one version lands. */
  readonly replacements: readonly Replacement[];
  readonly state: AttemptState;
  readonly evidence: Readonly<Record<string, unknown>> | null;
  readonly atMs: number;
  readonly updatedAtMs: number;
}

/**
 * A signed payment that replaces a stuck payment and uses the same sequence number. It belongs to every attempt with that
 * reference.
 */
export interface Replacement {
  readonly mode: Mode;
  readonly network: string;
  /** The hash of the first version of the payment. */
  readonly reference: string;
  /** The number of the version. The first version is number 1, so a replacement has at least number 2. */
  readonly no: number;
  readonly hash: string;
  readonly payload: string;
  readonly bound: string | null;
  readonly atMs: number;
}

type MovementStart = Pick<
  Movement,
  'id' | 'kind' | 'mode' | 'network' | 'asset' | 'amountMinor' | 'nairaMinor' | 'destination'
> &
  Partial<
    Pick<
      Movement,
      'transactionId' | 'creditId' | 'depositId' | 'bankAccount' | 'state' | 'reason' | 'attempts' | 'dueAtMs'
    >
  > & { readonly atMs: number };

export function newMovement({ atMs, ...given }: MovementStart): Movement {
  return {
    transactionId: null,
    creditId: null,
    depositId: null,
    bankAccount: null,
    state: 'pending',
    reason: null,
    attempts: 0,
    dueAtMs: atMs,
    ...given,
    version: 1,
    tries: 0,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  };
}

/** Our reference for a movement at a bank: 16 to 50 characters of a-z, 0-9 and hyphen, as rails require. */
export function bankReference(movementId: string): string {
  return movementId.replace('_', '-');
}

/**
 * The reference of a new attempt on a rail that finally refused an earlier attempt. The reference must differ, because the rail
 * never pays a refused reference.
 */
export function repeatedReference(movementId: string, attempt: number): string {
  return `${bankReference(movementId)}-${attempt}`;
}

/** The id of the movement that a bank reference belongs to. The caller must know that the reference is ours. */
export function parseBankReference(reference: string): string {
  return reference.replace(/^([^-]*)-([^-]*)(-\d+)?$/, '$1_$2');
}

/**
 * A transaction that a treasury signs once to prepare a network. The record is stored before the transaction is broadcast. The
 * transaction ends once, and its cost is posted in the same change as its end.
 */
export interface SignedSetUp {
  readonly mode: Mode;
  readonly network: string;
  readonly hash: string;
  /** The wallet that signs the transaction. The transaction uses a sequence number of this wallet. */
  readonly source: string;
  readonly sequence: string | null;
  readonly payload: string;
  readonly bound: string | null;
  readonly what: string;
  readonly signedAtMs: number;
}

export interface EndedSetUp {
  readonly mode: Mode;
  readonly network: string;
  readonly hash: string;
  /**
   * `landed`: the transaction is final, and it may have succeeded or failed. `replaced`: another transaction used its sequence
   * number.
   */
  readonly outcome: 'landed' | 'dead' | 'replaced';
}
