// What a network brings to the contract suite: itself, its time, its troubles, and eyes of its own on what was really
// paid. A case that a network cannot meet (no trustlines, say) is left out there.
import type { LagPath, LagServers } from '../../../local-networks/lag.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { DepositAddresses } from '../../../src/ports/networks/network-observer.ts';
import type { Payment, SignedTransaction } from '../../../src/ports/networks/network-payer.ts';

export const TROUBLES = [
  /** The broadcast does not get through. */
  'no_connection',
  /** It gets through, it lands, and the answer is lost or an error. */
  'answer_lost',
  /** It is accepted, and never lands by itself. */
  'dropped',
  /** It is included, and then in a block that is left behind; offered again it lands. */
  'reorganised',
  /** The network says these bytes never will. */
  'rejected',
  /** It is included and undone: it pays nothing. */
  'fails',
  /** The fee is too low by now: it stays in the pool. */
  'stuck',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface Lag {
  /** The paths that are behind: they answer as the chain was when the lag began, for as long as it lasts. */
  readonly paths: readonly LagPath[];
  readonly providers: 'one' | 'both';
  readonly servers: LagServers;
}

export interface NetworkHarness {
  readonly network: Network;
  /** Another adapter on the same network, as after a restart. */
  restarted(): Promise<Network>;
  /** A new wallet that can receive the token. */
  wallet(): Promise<string>;
  readonly troubles: ReadonlySet<Trouble>;
  /** What the next broadcast of these bytes meets. */
  meet(trouble: Trouble, prepared: SignedTransaction): Promise<void>;
  /** A little time passes: about a block. */
  pass(): Promise<void>;
  /** Time passes until these bytes can no longer land. Only asked where there is a bound. */
  untilExpired(prepared: SignedTransaction): Promise<void>;
  /** What a wallet really received, as the network itself has it. */
  received(wallet: string): Promise<bigint>;
  /** Which deposit addresses are watched: all that were asked for through this harness. */
  readonly watch: DepositAddresses;
  /** Tokens arrive from outside; again under the same id, the network tells of the same transfer. Answers its hash. */
  deposit(id: string, deposit: Arriving): Promise<string>;

  /** A wallet that cannot receive yet, and what makes it able to. */
  unready?(): Promise<{ readonly wallet: string; readonly open: () => Promise<void> }>;
  /** A wallet the token will not go to, although it looks ready: alone it fails, among others only it does. */
  refusing?(): Promise<string>;
  /** A wallet takes no tokens from now on: what is signed for it fails when it is applied. Answers what opens it again. */
  shut?(wallet: string): Promise<() => Promise<void>>;
  /** The treasury is emptied of tokens, and filled again. */
  treasury?: { empty(): Promise<void>; refill(): Promise<void> };
  /** The same with the coin that fees are paid in. */
  native?: { empty(): Promise<void>; refill(): Promise<void> };
  /** The next deposit of this id is taken back by the network for good. */
  willBeGone?(id: string): void;
  /** Something comes in that cannot be read. */
  poison?(): Promise<void>;
  /** One provider says a payment is final, or a deposit arrived, that never was. */
  lie?(prepared: SignedTransaction): Promise<void>;
  /**
   * Some paths of providers are behind from now on. What each answer says of its own height is true: a server that is behind
   * names the height it is at. Answers what ends it.
   */
  lag?(lag: Lag): Promise<() => Promise<void>>;
  /** Tokens leave the treasury by a transaction that another holder of its key signed. Answers its hash. */
  steal?(amountMinor: bigint): Promise<string>;
  close(): Promise<void>;
}

export interface Arriving {
  readonly address: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
  /** Another token under the same symbol. */
  readonly ourToken?: boolean;
}

/** A payment as the suite makes them. */
export type NewPayment = Partial<Payment> & Pick<Payment, 'to'>;
