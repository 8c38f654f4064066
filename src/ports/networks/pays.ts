// How a network pays: payments are signed, stored by the caller, broadcast, and asked about until their end is proven. Signing
// again never pays twice; `dead` and `rejected` cannot be written without a proof.
import type { Death } from '../../domain/movements/proof-of-death.ts';

/** One payment of tokens. The order makes two equal payments two different ones. */
export interface Payment {
  readonly orderId: string;
  /** The transaction it is for; goes into a memo where the network has one. */
  readonly about: string | null;
  readonly to: string;
  /** In the token's minor units. */
  readonly amountMinor: bigint;
  /** Never together with others: an earlier try failed, and it must not take them down with it. */
  readonly alone: boolean;
  /** Whether an account may be opened for the recipient where the network has none, at our cost. */
  readonly opensAccount: boolean;
  /** Set when it brings in what lies at the deposit target of this transaction, instead of paying from the treasury. */
  readonly from: string | null;
}

/** Signed, and not yet broadcast. It is stored before it is broadcast; broadcast again it still pays once. */
export interface Prepared {
  readonly hash: string;
  /** The wallet that signs it, and whose sequence numbers it uses. */
  readonly source: string;
  /** The sequence number (nonce) it uses, a whole number; null where the network has none. */
  readonly sequence: string | null;
  readonly payload: string;
  /** After which it can no longer land, in the network's own terms; null where there is no such thing. */
  readonly bound: string | null;
  readonly signedAtMs: number;
}

/** What is signed for one sequence number: at first once, and again with a higher fee when it is stuck. At most one of them lands. */
export interface Envelope {
  readonly versions: readonly Prepared[];
  /** The orders it pays, in its own order. */
  readonly orderIds: readonly string[];
}

/** What is known of a wallet whose payments have an order: only one process at a time has its turn. */
export interface Turn {
  /** The highest sequence number that is used and may not be used again. */
  readonly lastSequence: string | null;
  /** How many envelopes are neither final nor dead. */
  readonly live: number;
  /** Tokens promised in them. */
  readonly inFlightMinor: bigint;
}

/** Why a payment is not in an envelope this time. All of them pass by themselves or by an operator's doing. */
export type Obstacle =
  | 'turn_taken'
  | 'treasury_low'
  | 'native_low'
  | 'signing_refused'
  /** A transfer out of the treasury is not explained by any payment: all sends of the asset are stopped. */
  | 'sends_stopped'
  | 'network_unreachable';

export interface Signed {
  readonly envelopes: readonly (Prepared & { readonly orderIds: readonly string[] })[];
  readonly waiting: readonly {
    readonly orderId: string;
    readonly obstacle: Obstacle;
    readonly detail: string;
  }[];
}

export type BroadcastOutcome =
  | { readonly kind: 'accepted' }
  /** These bytes did nothing and never will: a refusal alone proves nothing, so the proof comes with it. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly death: Death }
  /** Anything else, an error and a lost answer included. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** What the network took for an envelope, in its own coin. */
export interface Cost {
  /** The coin's code. */
  readonly asset: string;
  readonly feeMinor: bigint;
  /** What it cost to open token accounts, by index. */
  readonly opened: readonly { readonly index: number; readonly amountMinor: bigint }[];
  /** What came to the treasury out of token accounts that it closed, by index; left out where there are none. */
  readonly closed?: readonly { readonly index: number; readonly amountMinor: bigint }[];
}

export type SendStatus =
  /** Known to the network, or possibly still on its way. */
  | { readonly kind: 'pending' }
  /** Known to the network for long, at a fee too low to be taken: it may be signed again with the same sequence number. */
  | { readonly kind: 'stuck' }
  | { readonly kind: 'included'; readonly confirmations: number }
  | {
      readonly kind: 'final';
      /** Of the version that landed. */
      readonly hash: string;
      readonly evidence: Readonly<Record<string, unknown>>;
      /** Orders in it that were not paid, for good. */
      readonly unpaid: readonly { readonly index: number; readonly reason: string }[];
      readonly cost: Cost | null;
    }
  /** Final, and nothing in it was paid. `culprits`: the indexes of the payments it failed for; left out where they are not known. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly cost: Cost | null;
      readonly culprits?: readonly number[];
    }
  /** Proven: it did nothing, and can never land. `cost`: where the network took a fee all the same. */
  | { readonly kind: 'dead'; readonly death: Death; readonly cost?: Cost | null }
  /** Its sequence number was used by something that was not signed here. Nothing more is sent until an operator has looked. */
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface NetworkPayer {
  /** How long after a broadcast it is worth asking whether it is final. */
  readonly finalAfterMs: number;
  /** The longest that it takes to answer a question or a broadcast; what comes later counts as no answer. Missing: it answers at once. */
  readonly answersWithinMs?: number;
  /** How many providers there are to be asked; 0 where the network is part of the service. No other answer contradicts a single one. */
  readonly providerCount: number;
  /** The wallet whose payments have an order, so that one process at a time may sign; null where they have none. */
  readonly orderedBy: string | null;
  /**
   * Whether a wallet can receive the token now; `waiting` when its owner must do something first, `refused` when the
   * token itself will not go there.
   */
  recipientReady(payment: Payment): Promise<'ready' | 'waiting' | 'refused' | 'unknown'>;
  /** Signs as many as may go out now, in as few envelopes as make sense. Nothing leaves the process. */
  prepare(payments: readonly Payment[], turn: Turn): Promise<Signed>;
  /**
   * Signs what is stuck again, with the same sequence number and payments, for a higher fee; undefined at the highest fee
   * allowed. Where its price is high enough it answers the stored version that offers most, which is broadcast again.
   */
  replace(envelope: Envelope): Promise<Prepared | undefined>;
  /**
   * Signs a transaction that pays nothing with the same sequence number; undefined where a payment's own bound ends it. Once
   * that is final the envelope has `failed` with the reason `cancelled`.
   */
  cancel(envelope: Envelope): Promise<Prepared | undefined>;
  /** Never throws for what the network says or fails to say: that is an outcome. */
  broadcast(prepared: Prepared): Promise<BroadcastOutcome>;
  ask(envelope: Envelope): Promise<SendStatus>;
  /**
   * Whether any provider that answers shows it in a block where it did not fail, final or not: enough to stop, and never enough to
   * go on. Throws when none answers.
   */
  shows(envelope: Envelope): Promise<boolean>;
}
