// What the service needs of a blockchain network, in its own words. A network is looked up by its wire name;
// nothing in domain or app knows which networks exist. Every adapter passes test/contract/network/suite.ts.

import type { Death } from '../domain/movements/proof-of-death.ts';
import type { Mode } from '../domain/values/mode.ts';

export type AddressProblem = 'wallet_invalid' | 'wallet_network_mismatch' | 'wallet_forbidden';

export type AddressCheck =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly code: AddressProblem; readonly message: string };

/** Where a customer sends tokens for one sell. */
export interface DepositTarget {
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: 'id' | null;
}

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

/** Signed, and not yet told to anybody. Stored before it is broadcast; broadcast again it still pays once. */
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
  /** Something left the treasury that nothing explains: all sends of the asset stand still. */
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
  /** Final, and nothing in it was paid. `culprits`: the indexes of the payments it failed for; left out where nobody knows. */
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

/** Tokens seen arriving at an address of ours. */
export interface Sighting {
  readonly txHash: string;
  readonly txIndex: number;
  readonly address: string;
  readonly memo: string | null;
  readonly sender: string | null;
  /** False for another token than ours, by contract or issuer and never by symbol. */
  readonly ourToken: boolean;
  readonly amountMinor: bigint;
  readonly final: boolean;
}

export interface Observed {
  readonly sightings: readonly Sighting[];
  /** What came and makes no sense: kept as it came, and no reason to stop. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** Where the next observation goes on; stored with the sightings in one commit. */
  readonly position: string;
}

/** Which addresses are ours to watch. */
export interface Watch {
  /** Deposit addresses young enough that something may still come to them. */
  recent(): Promise<readonly string[]>;
  /**
   * Those too old for that, some at a time from the oldest on, for a network on which every address is asked about by itself.
   * `after`: the `next` of an earlier answer, null to begin; `next` is null after the last.
   */
  older?(
    after: string | null,
  ): Promise<{ readonly addresses: readonly string[]; readonly next: string | null }>;
  /** Which of these are deposit addresses of ours, however old. */
  ours(addresses: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Tokens of ours seen leaving the treasury, whoever signed it. */
export interface Outflow {
  readonly txHash: string;
  /** Of a transaction that wraps another one (a fee bump): the hash of the inner one. */
  readonly innerHash: string | null;
  /** Tells the outflows of one transaction apart. */
  readonly index: number;
  readonly to: string | null;
  readonly amountMinor: bigint;
}

export interface Outflows {
  /** All that any provider shows since the position; what is not yet final is shown again until it is. */
  readonly outflows: readonly Outflow[];
  /** What came and makes no sense: it may be an outflow, so sends stop for it, too. */
  readonly unreadable: readonly { readonly reason: string; readonly raw: string }[];
  /** Everything up to here is final and was shown. */
  readonly position: string;
  /** True: there is more that could not be shown now. Nothing may be signed until it is. */
  readonly incomplete?: boolean;
}

/** What the wallet that pays holds, as the chain says. */
export interface Treasury {
  readonly wallet: string;
  readonly tokenMinor: bigint;
  readonly native: {
    readonly asset: string;
    readonly decimals: number;
    /** What may be spent. */
    readonly amountMinor: bigint;
    /** What lies there besides and the network keeps locked. */
    readonly lockedMinor: bigint;
  };
  /** Below these an operator is called; below zero payments of fees nothing is signed. */
  readonly marks: { readonly tokenMinor: bigint; readonly nativeMinor: bigint };
}

/** One of those through whom a network is asked, as this process sees it. */
export interface ProviderState {
  /** Where it is, and nothing of its address that may be a key. */
  readonly name: string;
  /** What it failed with when it was last asked; null: it answered. */
  readonly problem: string | null;
  /** How often it has failed since the start. */
  readonly failures: number;
  /** For how long it has answered nothing. */
  readonly silentMs: number;
}

export interface Network {
  /** The wire spelling, e.g. as the interface lists it. */
  readonly name: string;
  readonly asset: { readonly code: string; readonly decimals: number };
  /** The coin its fees are paid in; null where there are none. */
  readonly native: { readonly asset: string; readonly decimals: number } | null;
  readonly confirmations: number;
  /** How long after a broadcast it is worth asking whether it is final. */
  readonly finalAfterMs: number;
  /** How often it is worth looking for what came in: providers count the questions. */
  readonly observeEveryMs: number;
  /** The wallet whose payments have an order, so that one process at a time may sign; null where they have none. */
  readonly orderedBy: string | null;
  /** Deposits come to addresses of their own and have to be brought into the treasury. */
  readonly sweeps: boolean;
  /** Validates and normalises a destination. Refuses other networks' addresses and ones that must not be paid. */
  checkAddress(text: string): AddressCheck;
  /** A deposit target that belongs to this transaction alone. The same id always gives the same target. */
  depositTarget(transactionId: string): DepositTarget;
  explorerUrl(hash: string): string | null;

  /**
   * Whether a wallet can receive the token now; `waiting` when its owner must do something first, `refused` when the
   * token itself will not go there.
   */
  recipientReady(payment: Payment): Promise<'ready' | 'waiting' | 'refused' | 'unknown'>;
  /** Signs as many as may go out now, in as few envelopes as make sense. Nothing leaves the process. */
  prepare(payments: readonly Payment[], turn: Turn): Promise<Signed>;
  /** Signs what is stuck again, with the same sequence number and payments, for a higher fee; undefined at the highest fee allowed. */
  replace(envelope: Envelope): Promise<Prepared | undefined>;
  /**
   * Signs a transaction that pays nothing with the same sequence number; undefined where a payment's own bound ends it. Once that is
   * final the envelope has `failed` with the reason `cancelled`.
   */
  cancel(envelope: Envelope): Promise<Prepared | undefined>;
  /** Never throws for what the network says or fails to say: that is an outcome. */
  broadcast(prepared: Prepared): Promise<BroadcastOutcome>;
  ask(envelope: Envelope): Promise<SendStatus>;

  /** What came in since a position; null: from the beginning. */
  observe(position: string | null, watch: Watch): Promise<Observed>;
  /**
   * How a sighting stands now. `gone`: reorganised away for good. `byTwo`: final only when two providers say so, however small
   * it is.
   */
  confirm(
    sighting: {
      readonly txHash: string;
      readonly txIndex: number;
      readonly address: string;
      /** Which order it names, where all of them share one address; empty or null: none. */
      readonly memo: string | null;
      readonly amountMinor: bigint;
    },
    how?: { readonly byTwo: boolean },
  ): Promise<'pending' | 'final' | 'gone' | 'unknown'>;

  /**
   * What left the treasury since a position, by all providers that answer, each of which may know of something the others
   * do not. Null: begins now, and shows nothing. Throws when none answers.
   */
  outflows(position: string | null): Promise<Outflows>;

  /** Null where nobody can run out of anything. */
  treasury(): Promise<Treasury | null>;
  /** How all of its providers are doing; none where nobody has to be asked. Never throws. */
  providers(): Promise<readonly ProviderState[]>;
}

/** Configured, and not compared with its chain yet: nothing is done on it. It is tried again, and enabled for good then. */
export interface DisabledNetwork {
  readonly mode: Mode;
  readonly name: string;
  /** For the operator. */
  readonly problem: string;
  /** What its settings say of its amounts; null where these settings have never been compared with the chain. */
  readonly described: Pick<Network, 'asset' | 'native'> | null;
}

export interface Networks {
  /** Every name the product knows, enabled or not, in display order. */
  readonly names: readonly string[];
  /** The wire spelling of a name written in any case, or undefined for an unknown network. */
  spell(text: string): string | undefined;
  /** The network, when it is enabled in that mode. Once it is, it stays so as long as the process lives. */
  find(mode: Mode, name: string): Network | undefined;
  /** Those that can be used now. There may be more later: ask again, and do not keep the list. */
  enabled(mode: Mode): readonly Network[];
  disabled(mode: Mode): readonly DisabledNetwork[];
}
