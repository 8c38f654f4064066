// How a network pays: payments are signed, stored by the caller, broadcast, and queried until their outcome is proven. Signing
// again never pays twice; `dead` and `rejected` cannot be created without a proof.
import type { DeathProof } from '../../domain/movements/proof-of-death.ts';

/** One payment of tokens. The order id distinguishes two equal payments. */
export interface Payment {
  readonly orderId: string;
  /** The transaction of the payment; used as the memo if the network has one. */
  readonly about: string | null;
  readonly to: string;
  /** The amount in the token's minor units. */
  readonly amountMinor: bigint;
  /** Whether the payment must be alone in its envelope: an earlier attempt failed, and it must not fail other payments. */
  readonly alone: boolean;
  /** Whether we may open an account for the recipient at our cost, if it has none on the network. */
  readonly opensAccount: boolean;
  /** Set for a sweep: it moves the tokens from the deposit target of this transaction, instead of paying from the treasury. */
  readonly from: string | null;
}

/** Signed, and not yet broadcast. It is stored before the broadcast; a second broadcast still pays once. */
export interface SignedTransaction {
  readonly hash: string;
  /** The wallet that signs it and whose sequence number it uses. */
  readonly source: string;
  /** The sequence number (nonce), a whole number; null: the network has none. */
  readonly sequence: string | null;
  readonly payload: string;
  /** The limit after which the envelope can no longer land, in the network's own unit; null: the network has none. */
  readonly bound: string | null;
  readonly signedAtMs: number;
}

/** The versions signed for one sequence number: one at first, and another with a higher fee if it is stuck. At most one lands. */
export interface Envelope {
  readonly versions: readonly SignedTransaction[];
  /** The orders that it pays, in the order of the envelope. */
  readonly orderIds: readonly string[];
}

/** The state of a wallet whose payments must be in order: only one process at a time may use it. */
export interface WalletTurn {
  /** The highest used sequence number, which must not be used again. */
  readonly lastSequence: string | null;
  /** The number of envelopes that are neither final nor dead. */
  readonly live: number;
  /** The sum of the tokens in them. */
  readonly inFlightMinor: bigint;
}

/** Why a payment is not in an envelope this time. Each reason ends with time or by an action of the operator. */
export type Obstacle =
  | 'turn_taken'
  | 'treasury_low'
  | 'native_low'
  | 'signing_refused'
  /** No payment explains a transfer out of the treasury: all sends of the asset are stopped. */
  | 'sends_stopped'
  | 'network_unreachable';

export interface SigningResult {
  readonly envelopes: readonly (SignedTransaction & { readonly orderIds: readonly string[] })[];
  readonly waiting: readonly {
    readonly orderId: string;
    readonly obstacle: Obstacle;
    readonly detail: string;
  }[];
}

export type BroadcastOutcome =
  | { readonly kind: 'accepted' }
  /** This payment had no effect and never will. A refusal alone proves nothing, so the proof is included. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly death: DeathProof }
  /** Any other result, including an error and a lost answer. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The cost of an envelope in the network's own coin. */
export interface EnvelopeCost {
  /** The coin's code. */
  readonly asset: string;
  readonly feeMinor: bigint;
  /** The cost of opening token accounts, by index. */
  readonly opened: readonly { readonly index: number; readonly amountMinor: bigint }[];
  /** The coin that the treasury received from closed token accounts, by index; omitted if there is none. */
  readonly closed?: readonly { readonly index: number; readonly amountMinor: bigint }[];
}

export type SendStatus =
  /** The network knows the payment, or it may still be in transit. */
  | { readonly kind: 'pending' }
  /**
   * The network has known the payment for a long time, but its fee is too low: it may be signed again with the same
   * sequence number.
   */
  | { readonly kind: 'stuck' }
  | { readonly kind: 'included'; readonly confirmations: number }
  | {
      readonly kind: 'final';
      /** The hash of the version that landed. */
      readonly hash: string;
      readonly evidence: Readonly<Record<string, unknown>>;
      /** Orders in it that were finally not paid. */
      readonly unpaid: readonly { readonly index: number; readonly reason: string }[];
      readonly cost: EnvelopeCost | null;
    }
  /**
   * The envelope is final, and none of its payments was made. `culprits`: the indexes of the payments that made it
   * fail; omitted if unknown.
   */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly cost: EnvelopeCost | null;
      readonly culprits?: readonly number[];
    }
  /** It is proven that the envelope had no effect and can never land. `cost`: set if the network still took a fee. */
  | { readonly kind: 'dead'; readonly death: DeathProof; readonly cost?: EnvelopeCost | null }
  /** A transaction that was not signed here used its sequence number. Nothing more is sent until an operator has decided. */
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface NetworkPayer {
  /** The time after a broadcast when the payment may be final and a query is useful. */
  readonly finalAfterMs: number;
  /** The maximum time for a query or a broadcast; a later answer counts as none. Missing: it answers at once. */
  readonly answersWithinMs?: number;
  /** The number of providers to query; 0: the network is part of the service. With one provider, no other can contradict it. */
  readonly providerCount: number;
  /** The wallet whose payments must be in order, so that only one process at a time may sign; null: they have no order. */
  readonly orderedBy: string | null;
  /**
   * Whether a wallet can receive the token now; `waiting`: its owner must act first; `refused`: the token cannot be
   * sent there.
   */
  recipientReady(payment: Payment): Promise<'ready' | 'waiting' | 'refused' | 'unknown'>;
  /** Signs as many payments as may be sent now, in as few envelopes as possible. Nothing is broadcast. */
  prepare(payments: readonly Payment[], turn: WalletTurn): Promise<SigningResult>;
  /**
   * Signs a stuck envelope again, with the same sequence number and payments and a higher fee; undefined: the maximum
   * fee is reached. If the fee of a stored version is high enough, it returns the version with the highest fee, to be
   * broadcast again.
   */
  replace(envelope: Envelope): Promise<SignedTransaction | undefined>;
  /**
   * Signs a transaction without payments with the same sequence number; undefined: the payment expires by its own
   * limit. Once that transaction is final, the envelope has `failed` with the reason `cancelled`.
   */
  cancel(envelope: Envelope): Promise<SignedTransaction | undefined>;
  /** Broadcasts. It does not throw because of an answer or a missing answer of the network: both are outcomes. */
  broadcast(prepared: SignedTransaction): Promise<BroadcastOutcome>;
  ask(envelope: Envelope): Promise<SendStatus>;
  /**
   * Whether any provider that answers shows the envelope in a block, not failed, final or not. This is enough to stop,
   * but never enough to continue. Throws if no provider answers.
   */
  shows(envelope: Envelope): Promise<boolean>;
}
