// How a network pays. It signs payments, the caller stores them, and the network broadcasts and queries them until their
// outcome is proven. A payment that is signed again never pays twice. The outcomes `dead` and `rejected` cannot exist without a
// proof.
import type { DeathProof } from '../../domain/movements/proof-of-death.ts';

/** One payment of tokens. The order id distinguishes two payments with the same recipient and amount. */
export interface Payment {
  readonly orderId: string;
  /** The transaction that the payment belongs to. If a payment on the network can carry a text, the text contains this id. */
  readonly about: string | null;
  readonly to: string;
  /** The amount in the token's minor units. */
  readonly amountMinor: bigint;
  /**
   * Whether the payment must be alone in its envelope. This is the case after a failed attempt, so that the payment does not
   * make other payments fail.
   */
  readonly alone: boolean;
  /** Whether the service may open an account for the recipient at its own cost, if the recipient has none on the network. */
  readonly opensAccount: boolean;
  /** Set for a sweep: the tokens move from the deposit target of this transaction instead of from the treasury. */
  readonly from: string | null;
}

/**
 * A transaction that is signed and not yet broadcast. The service stores it before the broadcast. If it is broadcast twice, it
 * still pays once.
 */
export interface SignedTransaction {
  readonly hash: string;
  /** The wallet that signs the transaction and whose sequence number it uses. */
  readonly source: string;
  /** The sequence number (nonce) as a whole number; null if the network has no sequence numbers. */
  readonly sequence: string | null;
  readonly payload: string;
  /**
   * The limit after which the envelope can no longer get into a block, in the network's own unit. Null if the network has no
   * such limit, or if the adapter cannot prove that the limit has passed.
   */
  readonly bound: string | null;
  readonly signedAtMs: number;
}

/**
 * All signed versions for one sequence number. There is one version at first, and another with a higher fee if the first is
 * stuck. At most one version gets into a block.
 */
export interface Envelope {
  readonly versions: readonly SignedTransaction[];
  /** The ids of the orders that the envelope pays, in the order of their payments. */
  readonly orderIds: readonly string[];
}

/** The state of a wallet whose payments must be sent in order. Only one process at a time may use such a wallet. */
export interface WalletTurn {
  /** The highest used sequence number, which must not be used again. */
  readonly lastSequence: string | null;
  /** The number of envelopes that are neither final nor dead. */
  readonly live: number;
  /** The sum of the tokens in the envelopes that are neither final nor dead. */
  readonly inFlightMinor: bigint;
}

/** The reason why no envelope contains a payment yet. Each reason ends after some time or through an action of the operator. */
export type Obstacle =
  | 'turn_taken'
  | 'treasury_low'
  | 'native_low'
  | 'signing_refused'
  /** A transfer out of the treasury matches no payment, so all sends of the asset are stopped. */
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
  /** This payment had no effect and never will have one. A refusal alone proves nothing, so the outcome includes a proof. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly death: DeathProof }
  /** Every other outcome of a broadcast, including an error and a missing response. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The cost of an envelope in the network's own coin. */
export interface EnvelopeCost {
  /** The code of the network's own coin. */
  readonly asset: string;
  readonly feeMinor: bigint;
  /** The cost of opening token accounts, by the index of the payment. */
  readonly opened: readonly { readonly index: number; readonly amountMinor: bigint }[];
  /**
   * The amount of the network's own coin that the treasury received back from closed token accounts, by the index of the
   * payment. Omitted if no account was closed.
   */
  readonly closed?: readonly { readonly index: number; readonly amountMinor: bigint }[];
}

export type SendStatus =
  /** The network knows the payment, or the payment may still be on its way to the network. */
  | { readonly kind: 'pending' }
  /**
   * The network has known the payment for a long time, but its fee is too low. The payment may be signed again with the same
   * sequence number.
   */
  | { readonly kind: 'stuck' }
  | { readonly kind: 'included'; readonly confirmations: number }
  | {
      readonly kind: 'final';
      /** The hash of the version that is in a block. */
      readonly hash: string;
      readonly evidence: Readonly<Record<string, unknown>>;
      /** The payments in the envelope that finally did not happen, by index. */
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
   * A transaction that this service did not sign used the sequence number. The wallet sends nothing until an operator has
   * decided.
   */
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface NetworkPayer {
  /** A payment may be final from this time after its broadcast; an earlier query is useless. */
  readonly finalAfterMs: number;
  /**
   * The maximum time for a query or a broadcast. The service ignores a later response. Missing if the network responds at once.
   */
  readonly answersWithinMs?: number;
  /**
   * The number of providers that the service queries; 0 if the network is part of the service. If there is only one provider,
   * no other provider can contradict it.
   */
  readonly providerCount: number;
  /**
   * The wallet whose payments must be sent in order, so that only one process at a time may sign. Null if the payments need no
   * order.
   */
  readonly orderedBy: string | null;
  /**
   * Whether a wallet can receive the token now. `waiting`: the owner of the wallet must act first. `refused`: the token cannot
   * be sent to this wallet.
   */
  recipientReady(payment: Payment): Promise<'ready' | 'waiting' | 'refused' | 'unknown'>;
  /** Signs as many payments as may be sent now, in as few envelopes as possible. It broadcasts nothing. */
  prepare(payments: readonly Payment[], turn: WalletTurn): Promise<SigningResult>;
  /**
   * Signs a stuck envelope again, with the same sequence number and payments and a higher fee or a later expiry. If a stored
   * version already has a high enough fee, it returns the version with the highest fee, for another broadcast. Undefined if the
   * maximum fee is reached.
   */
  replace(envelope: Envelope): Promise<SignedTransaction | undefined>;
  /**
   * Signs a transaction without payments that uses the same sequence number. When this transaction is final, the envelope is
   * `failed` with the reason `cancelled`. Undefined if the payment expires by its own limit.
   */
  cancel(envelope: Envelope): Promise<SignedTransaction | undefined>;
  /** Broadcasts the transaction. It never throws: an error response and a missing response of the network are outcomes. */
  broadcast(prepared: SignedTransaction): Promise<BroadcastOutcome>;
  ask(envelope: Envelope): Promise<SendStatus>;
  /**
   * Whether any responding provider shows the envelope in a block without failure, even if the block is not final. This result
   * can stop an action, but it can never justify one. It throws if no provider responds.
   */
  shows(envelope: Envelope): Promise<boolean>;
}
