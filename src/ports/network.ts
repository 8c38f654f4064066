// What the service needs of a blockchain network, in its own words. A network is looked up by its wire name;
// nothing in domain or app knows which networks exist. Every adapter passes test/contract/network.ts.
import type { Mode } from '../domain/mode.ts';

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
}

/** Signed, and not yet told to anybody. Stored before it is broadcast; broadcast again it is still one payment. */
export interface Prepared {
  readonly hash: string;
  /** The wallet that pays. */
  readonly source: string;
  /** The place in the wallet's order, where the network has one. */
  readonly sequence: string | null;
  readonly payload: string;
  /** After which it can no longer land, in the network's own terms; null where there is no such thing. */
  readonly bound: string | null;
}

export type BroadcastOutcome =
  | { readonly kind: 'accepted' }
  /** These bytes did nothing and never will. */
  | { readonly kind: 'rejected'; readonly reason: string }
  /** Anything else, an error and a lost answer included. */
  | { readonly kind: 'unknown'; readonly reason: string };

export type SendStatus =
  /** Known to the network, or possibly still on its way. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'included'; readonly confirmations: number }
  | { readonly kind: 'final'; readonly evidence: Readonly<Record<string, unknown>> }
  /** Final, and nothing was paid. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Proven: it is not there, and can never land. */
  | { readonly kind: 'dead'; readonly evidence: Readonly<Record<string, unknown>> }
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
  /** Where the next observation goes on; stored with the sightings in one commit. */
  readonly position: string;
}

export interface Network {
  /** The wire spelling, e.g. as the interface lists it. */
  readonly name: string;
  readonly asset: { readonly code: string; readonly decimals: number };
  readonly confirmations: number;
  /** How long after a broadcast it is worth asking whether it is final. */
  readonly finalAfterMs: number;
  /** Validates and normalises a destination. Refuses other networks' addresses and ones that must not be paid. */
  checkAddress(text: string): AddressCheck;
  /** A deposit target that belongs to this transaction alone. The same id always gives the same target. */
  depositTarget(transactionId: string): DepositTarget;
  explorerUrl(hash: string): string | null;

  /** Whether a wallet can receive the token now; `waiting` when its owner must do something first. */
  recipientReady(payment: Payment): Promise<'ready' | 'waiting' | 'unknown'>;
  /** Signs. Nothing leaves the process. */
  prepare(payment: Payment): Promise<Prepared>;
  /** Never throws for what the network says or fails to say: that is an outcome. */
  broadcast(prepared: Prepared): Promise<BroadcastOutcome>;
  ask(prepared: Prepared): Promise<SendStatus>;

  /** What came in since a position; null: from the beginning. */
  observe(position: string | null): Promise<Observed>;
  /** How a sighting stands now. `gone`: reorganised away for good. */
  confirm(sighting: {
    readonly txHash: string;
    readonly txIndex: number;
  }): Promise<'pending' | 'final' | 'gone' | 'unknown'>;
}

export interface Networks {
  /** Every name the product knows, enabled or not, in display order. */
  readonly names: readonly string[];
  /** The wire spelling of a name written in any case, or undefined for an unknown network. */
  spell(text: string): string | undefined;
  /** The network, when the operator enabled it in that mode. */
  find(mode: Mode, name: string): Network | undefined;
  enabled(mode: Mode): readonly Network[];
}
