// Money in transit: a send of tokens, a bank payout, a refund in tokens or by bank, a sweep from a deposit address, or a
// withdrawal by the operator. A movement must happen once. An attempt is one try, either alone or with other orders in the same
// signed payment. `unknown` is a valid outcome: the attempt is queried, and there is no new attempt until it is proven dead.
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
  /** Null: by bank. */
  readonly network: string | null;
  readonly asset: string;
  /** The amount in the asset's minor units. */
  readonly amountMinor: bigint;
  /** The same value in kobo. */
  readonly nairaMinor: bigint;
  readonly transactionId: string | null;
  readonly creditId: string | null;
  readonly depositId: string | null;
  /** Null: the destination is not known yet, and the movement waits. For a sweep, the address to empty. */
  readonly destination: WalletDestination | AccountDestination | null;
  /**
   * The ledger name of our bank account in which the naira of the movement are reserved; null: a movement on a network, or the
   * simulated bank.
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
  /** Exactly one of network and rail is set. The attempt was made there, and only there can it be queried. */
  readonly network: string | null;
  readonly rail: string | null;
  /**
   * The hash on a network, or our own reference at a bank. A new attempt on a rail that was already tried gets another reference.
   */
  readonly reference: string;
  readonly source: string | null;
  readonly sequence: string | null;
  /** The signed bytes, as text. */
  readonly payload: string | null;
  readonly bound: string | null;
  /** The index of the attempt among the orders of the same signed payment. */
  readonly index: number;
  /** The movements of all orders in the payment, including this one. */
  readonly orders: readonly string[];
  /** The same payment signed again with a higher fee; at most one version lands. */
  readonly replacements: readonly Replacement[];
  readonly state: AttemptState;
  readonly evidence: Readonly<Record<string, unknown>> | null;
  readonly atMs: number;
  readonly updatedAtMs: number;
}

/** A signed payment with the sequence number of a stuck payment. It belongs to every attempt with that reference. */
export interface Replacement {
  readonly mode: Mode;
  readonly network: string;
  /** The hash of the first version. */
  readonly reference: string;
  /** The number of the version, from 2; the first version is number 1. */
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

/** A new movement without attempts. It is due at once, unless another time is given. */
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
 * The reference of a new attempt on a rail that finally refused an earlier one. It must differ, because the rail never pays a
 * refused reference.
 */
export function repeatedReference(movementId: string, attempt: number): string {
  return `${bankReference(movementId)}-${attempt}`;
}

/** The id of the movement that a bank reference belongs to, if the reference is ours. */
export function parseBankReference(reference: string): string {
  return reference.replace(/^([^-]*)-([^-]*)(-\d+)?$/, '$1_$2');
}

/**
 * A transaction that a treasury signs once to prepare a network. This record covers it from its signature to its end. It is
 * stored before it is broadcast. It ends once, and its cost is posted in the same change as its end.
 */
export interface SignedSetUp {
  readonly mode: Mode;
  readonly network: string;
  readonly hash: string;
  /** The wallet that signs the transaction and whose sequence number the transaction uses. */
  readonly source: string;
  readonly sequence: string | null;
  readonly payload: string;
  readonly bound: string | null;
  /** A description for the operator. */
  readonly what: string;
  readonly signedAtMs: number;
}

export interface EndedSetUp {
  readonly mode: Mode;
  readonly network: string;
  readonly hash: string;
  /** `landed`: it is final, and it may have succeeded or failed. `replaced`: another transaction used its sequence number. */
  readonly outcome: 'landed' | 'dead' | 'replaced';
}
