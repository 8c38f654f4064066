// Money on its way: a send of tokens, a bank payout, a refund by either, tokens brought in from a deposit address, or
// tokens the operator takes out. A movement is what must happen once; an attempt is one try at it, alone or together with
// others in the same signed bytes. `unknown` is a legal outcome: it is asked about, and never tried anew until it is
// provably dead.
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
  /** Null while its destination is not known: it waits. Of a sweep, the address it empties. */
  readonly destination: WalletDestination | AccountDestination | null;
  /** Our bank account that its naira are reserved in, by its name in the ledger; null: by network, or the simulated bank. */
  readonly bankAccount: string | null;
  /** `returned`: it was done, and the bank gave the naira back. */
  readonly state: MovementState;
  readonly reason: string | null;
  readonly version: number;
  /** Attempts made so far; the last one is the live one. */
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
  /** Exactly one of network and rail is set: where it was made, and the only place where it is asked about. */
  readonly network: string | null;
  readonly rail: string | null;
  /** The hash on a network; our own reference at a bank, the same for every attempt. */
  readonly reference: string;
  readonly source: string | null;
  readonly sequence: string | null;
  /** Signed bytes, as text. */
  readonly payload: string | null;
  readonly bound: string | null;
  /** Its index among the orders in the same bytes. */
  readonly index: number;
  /** All of them, this one included: the movements they are for. */
  readonly orders: readonly string[];
  /** The same bytes signed again with a higher fee; at most one of all of them lands. */
  readonly replacements: readonly Replacement[];
  readonly state: AttemptState;
  readonly evidence: Readonly<Record<string, unknown>> | null;
  readonly atMs: number;
  readonly updatedAtMs: number;
}

/** Signed bytes with the sequence number of others that are stuck; they belong to every attempt under that reference. */
export interface Replacement {
  readonly mode: Mode;
  readonly network: string;
  /** The hash of the first ones. */
  readonly reference: string;
  /** The number of the version, from 2: the first ones are number 1. */
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

/** A movement as it begins: nothing was tried yet, and it is due at once, unless something else is said. */
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

/** Our name for a movement at a bank: 16 to 50 of a-z, 0-9 and hyphen, as rails demand. */
export function bankReference(movementId: string): string {
  return movementId.replace('_', '-');
}

/** The reference of a further attempt on a rail that refused an earlier one for good: the rail never pays a refused reference. */
export function repeatedReference(movementId: string, attempt: number): string {
  return `${bankReference(movementId)}-${attempt}`;
}

/** The movement that a reference at a bank stands for, if the reference is ours. */
export function parseBankReference(reference: string): string {
  return reference.replace(/^([^-]*)-([^-]*)(-\d+)?$/, '$1_$2');
}

/**
 * What a treasury signs once to make a network ready, from the signature to its end. Each is stored before
 * it is broadcast, and ends once: its cost is posted with its end, in the same change.
 */
export interface SignedSetUp {
  readonly mode: Mode;
  readonly network: string;
  readonly hash: string;
  /** The wallet that signs it, and whose sequence numbers it uses. */
  readonly source: string;
  readonly sequence: string | null;
  readonly payload: string;
  readonly bound: string | null;
  /** A description in the operator's words. */
  readonly what: string;
  readonly signedAtMs: number;
}

export interface EndedSetUp {
  readonly mode: Mode;
  readonly network: string;
  readonly hash: string;
  /** `landed`: whether it did what it should or failed. `replaced`: another transaction used its sequence number. */
  readonly outcome: 'landed' | 'dead' | 'replaced';
}
