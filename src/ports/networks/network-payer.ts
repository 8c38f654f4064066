// How a network pays: payments are signed, stored by the caller, broadcast, and asked about until their end is proven. Signing
// again never pays twice; `dead` and `rejected` cannot be written without a proof.
import type { DeathProof } from '../../domain/movements/proof-of-death.ts';

/** One payment of tokens. The order makes two equal payments two different ones. */
export interface Payment {
  readonly orderId: string;
  /** The transaction it is for; goes into a memo where the network has one. */
  readonly about: string | null;
  readonly to: string;
  /** The amount in the token's minor units. */
  readonly amountMinor: bigint;
  /** Whether the payment goes alone: an earlier attempt failed, and it must not fail others with it. */
  readonly alone: boolean;
  /** Whether an account may be opened for the recipient where the network has none, at our cost. */
  readonly opensAccount: boolean;
  /** Set when it brings in what lies at the deposit target of this transaction, instead of paying from the treasury. */
  readonly from: string | null;
}

/** Signed, and not yet broadcast. It is stored before it is broadcast; broadcast again it still pays once. */
export interface SignedTransaction {
  readonly hash: string;
  /** The wallet that signs it, and whose sequence numbers it uses. */
  readonly source: string;
  /** The sequence number (nonce) it uses, a whole number; null where the network has none. */
  readonly sequence: string | null;
  readonly payload: string;
  /** The bound after which the envelope can no longer land, in the network's own terms; null: the network has none. */
  readonly bound: string | null;
  readonly signedAtMs: number;
}

/** The versions signed for one sequence number: one at first, and another with a higher fee when it is stuck. At most one lands. */
export interface Envelope {
  readonly versions: readonly SignedTransaction[];
  /** The orders it pays, in its own order. */
  readonly orderIds: readonly string[];
}

/** The state of a wallet whose payments have an order: one process at a time has its turn. */
export interface WalletTurn {
  /** The highest sequence number that is used and may not be used again. */
  readonly lastSequence: string | null;
  /** The number of envelopes that are neither final nor dead. */
  readonly live: number;
  /** Tokens promised in them. */
  readonly inFlightMinor: bigint;
}

/** The reasons why a payment is not in an envelope this time. Each passes with time or by an action of the operator. */
export type Obstacle =
  | 'turn_taken'
  | 'treasury_low'
  | 'native_low'
  | 'signing_refused'
  /** A transfer out of the treasury is not explained by any payment: all sends of the asset are stopped. */
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
  /** These bytes did nothing and never will: a refusal alone proves nothing, so the proof comes with it. */
  | { readonly kind: 'rejected'; readonly reason: string; readonly death: DeathProof }
  /** Anything else, an error and a lost answer included. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The cost of an envelope in the network's own coin. */
export interface EnvelopeCost {
  /** The coin's code. */
  readonly asset: string;
  readonly feeMinor: bigint;
  /** What it cost to open token accounts, by index. */
  readonly opened: readonly { readonly index: number; readonly amountMinor: bigint }[];
  /** The coin that the treasury received from closed token accounts, by index; omitted where there is none. */
  readonly closed?: readonly { readonly index: number; readonly amountMinor: bigint }[];
}

export type SendStatus =
  /** Known to the network, or possibly still on its way. */
  | { readonly kind: 'pending' }
  /** Known to the network for a long time, at a fee too low to be taken: it may be signed again with the same sequence number. */
  | { readonly kind: 'stuck' }
  | { readonly kind: 'included'; readonly confirmations: number }
  | {
      readonly kind: 'final';
      /** The hash of the version that landed. */
      readonly hash: string;
      readonly evidence: Readonly<Record<string, unknown>>;
      /** Orders in it that were not paid, for good. */
      readonly unpaid: readonly { readonly index: number; readonly reason: string }[];
      readonly cost: EnvelopeCost | null;
    }
  /** Final, and nothing in it was paid. `culprits`: the indexes of the payments it failed for; left out where they are not known. */
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly cost: EnvelopeCost | null;
      readonly culprits?: readonly number[];
    }
  /** Proven: it did nothing, and can never land. `cost`: where the network took a fee all the same. */
  | { readonly kind: 'dead'; readonly death: DeathProof; readonly cost?: EnvelopeCost | null }
  /** Its sequence number was used by something that was not signed here. Nothing more is sent until an operator has looked. */
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface NetworkPayer {
  /** The time after a broadcast when it is worth asking whether it is final. */
  readonly finalAfterMs: number;
  /** The longest that it takes to answer a question or a broadcast; what comes later counts as no answer. Missing: it answers at once. */
  readonly answersWithinMs?: number;
  /** The number of providers to ask; 0 where the network is part of the service. With one provider, no other can contradict it. */
  readonly providerCount: number;
  /** The wallet whose payments have an order, so that one process at a time may sign; null where they have none. */
  readonly orderedBy: string | null;
  /**
   * Whether a wallet can receive the token now; `waiting` when its owner must do something first, `refused` when the
   * token itself will not go there.
   */
  recipientReady(payment: Payment): Promise<'ready' | 'waiting' | 'refused' | 'unknown'>;
  /** Signs as many as may go out now, in as few envelopes as make sense. Nothing leaves the process. */
  prepare(payments: readonly Payment[], turn: WalletTurn): Promise<SigningResult>;
  /**
   * Signs what is stuck again, with the same sequence number and payments, for a higher fee; undefined at the highest fee
   * allowed. Where its price is high enough it answers the stored version that offers most, which is broadcast again.
   */
  replace(envelope: Envelope): Promise<SignedTransaction | undefined>;
  /**
   * Signs a transaction that pays nothing with the same sequence number; undefined where a payment's own bound ends it. Once
   * that is final the envelope has `failed` with the reason `cancelled`.
   */
  cancel(envelope: Envelope): Promise<SignedTransaction | undefined>;
  /** Broadcasts. It never throws for an answer or a silence of the network: both are outcomes. */
  broadcast(prepared: SignedTransaction): Promise<BroadcastOutcome>;
  ask(envelope: Envelope): Promise<SendStatus>;
  /**
   * Whether any provider that answers shows it in a block where it did not fail, final or not: enough to stop, and never enough to
   * go on. Throws when none answers.
   */
  shows(envelope: Envelope): Promise<boolean>;
}
