// How a network pays: it signs payments, the caller stores them, and the network broadcasts and queries them until their outcome
// is proven. If a payment is signed again, it never pays twice; `dead` and `rejected` cannot be created without a proof.
import type { DeathProof } from '../../domain/movements/proof-of-death.ts';

/** One payment of tokens. The order id distinguishes two equal payments. */
export interface Payment {
  readonly orderId: string;
  /** The transaction that the payment belongs to. Where a payment can carry a text, it is part of it. */
  readonly about: string | null;
  readonly to: string;
  /** The amount in the token's minor units. */
  readonly amountMinor: bigint;
  /** Whether the payment must be alone in its envelope: an earlier attempt failed, and it must not make other payments fail. */
  readonly alone: boolean;
  /** Whether we may open an account for the recipient at our cost, if the recipient has none on the network. */
  readonly opensAccount: boolean;
  /** Set for a sweep: the tokens move from the deposit target of this transaction instead of from the treasury. */
  readonly from: string | null;
}

/**
 * A transaction that is signed and not yet broadcast. It is stored before the broadcast; if it is broadcast twice, it still pays
 * once.
 */
export interface SignedTransaction {
  readonly hash: string;
  /** The wallet that signs it and whose sequence number it uses. */
  readonly source: string;
  /** The sequence number (nonce), a whole number; null if the network has none. */
  readonly sequence: string | null;
  readonly payload: string;
  /**
   * The limit after which the envelope can no longer get into a block, in the network's own unit; null if the network has none,
   * or if the adapter cannot prove that the limit has passed.
   */
  readonly bound: string | null;
  readonly signedAtMs: number;
}

/**
 * All signed versions for one sequence number: one at first, and another with a higher fee if the first is stuck. At most one
 * lands.
 */
export interface Envelope {
  readonly versions: readonly SignedTransaction[];
  /** The orders that the envelope pays, in the order of their payments in it. */
  readonly orderIds: readonly string[];
}

/** The state of a wallet whose payments must be sent in order: only one process at a time may use it. */
export interface WalletTurn {
  /** The highest used sequence number, which must not be used again. */
  readonly lastSequence: string | null;
  /** The number of envelopes that are neither final nor dead. */
  readonly live: number;
  /** The sum of the tokens in these envelopes. */
  readonly inFlightMinor: bigint;
}

/**
 * The reason why a payment is not in an envelope this time. Each reason ends after some time or through an action of the
 * operator.
 */
export type Obstacle =
  | 'turn_taken'
  | 'treasury_low'
  | 'native_low'
  | 'signing_refused'
  /** A transfer out of the treasury matches no payment: all sends of the asset are stopped. */
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
  /** This payment had no effect and never will have one. A refusal alone proves nothing, so a proof is included. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly death: DeathProof }
  /** Any other result, including an error and a missing response. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The cost of an envelope in the network's own coin. */
export interface EnvelopeCost {
  /** The coin's code. */
  readonly asset: string;
  readonly feeMinor: bigint;
  /** The cost of opening token accounts, by index. */
  readonly opened: readonly { readonly index: number; readonly amountMinor: bigint }[];
  /** The coin that the treasury received back from closed token accounts, by index; omitted if there is none. */
  readonly closed?: readonly { readonly index: number; readonly amountMinor: bigint }[];
}

export type SendStatus =
  /** The network knows the payment, or the payment may still be on its way to the network. */
  | { readonly kind: 'pending' }
  /**
   * The network has known the payment for a long time, but the fee is too low: the payment may be signed again with the same
   * sequence number.
   */
  | { readonly kind: 'stuck' }
  | { readonly kind: 'included'; readonly confirmations: number }
  | {
      readonly kind: 'final';
      /** The hash of the version that is in a block. */
      readonly hash: string;
      readonly evidence: Readonly<Record<string, unknown>>;
      /** The orders in the envelope that were finally not paid. */
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
  /**
   * It is proven that the envelope had no effect and can never get into a block. `cost` is set if the network still took a fee.
   */
  | { readonly kind: 'dead'; readonly death: DeathProof; readonly cost?: EnvelopeCost | null }
  /**
   * A transaction that this service did not sign used the sequence number. Nothing more is sent until an operator has decided.
   */
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface NetworkPayer {
  /** The time after a broadcast from which the payment may be final and a query is useful. */
  readonly finalAfterMs: number;
  /** The maximum time for a query or a broadcast; a later response is ignored. Missing if the network responds at once. */
  readonly answersWithinMs?: number;
  /**
   * The number of providers to query; 0 if the network is part of the service. If there is only one provider, no other provider
   * can contradict it.
   */
  readonly providerCount: number;
  /**
   * The wallet whose payments must be sent in order, so that only one process at a time may sign; null if the payments have no
   * order.
   */
  readonly orderedBy: string | null;
  /**
   * Whether a wallet can receive the token now; `waiting`: the owner of the wallet must act first; `refused`: the token cannot be
   * sent there.
   */
  recipientReady(payment: Payment): Promise<'ready' | 'waiting' | 'refused' | 'unknown'>;
  /** Signs as many payments as may be sent now, in as few envelopes as possible. Nothing is broadcast. */
  prepare(payments: readonly Payment[], turn: WalletTurn): Promise<SigningResult>;
  /**
   * Signs a stuck envelope again, with the same sequence number and payments and a higher fee or a later expiry; undefined if the
   * maximum fee is reached. If a stored version already has a high enough fee, returns the version with the highest fee, to be broadcast again.
   */
  replace(envelope: Envelope): Promise<SignedTransaction | undefined>;
  /**
   * Signs a transaction without payments that uses the same sequence number; undefined if the payment expires by its own limit.
   * Once that transaction is final, the envelope is `failed` with the reason `cancelled`.
   */
  cancel(envelope: Envelope): Promise<SignedTransaction | undefined>;
  /** Broadcasts. An error response or a missing response of the network does not throw: both are outcomes. */
  broadcast(prepared: SignedTransaction): Promise<BroadcastOutcome>;
  ask(envelope: Envelope): Promise<SendStatus>;
  /**
   * Whether any provider that responds shows the envelope in a block without failure, whether final or not. This result is enough
   * to stop an action, but never enough to continue one. Throws if no provider responds.
   */
  shows(envelope: Envelope): Promise<boolean>;
}
