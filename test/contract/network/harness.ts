// What a network provides for the contract suite: the adapter, its clock, its troubles, and a direct view of the real payments. A
// case that a network does not support (for example, no trustlines) is skipped.
import type { LagPath, LagServers } from '../../../local-networks/lag.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { DepositAddresses } from '../../../src/ports/networks/network-observer.ts';
import type { Payment, SignedTransaction } from '../../../src/ports/networks/network-payer.ts';

export const TROUBLES = [
  /** The broadcast does not get through. */
  'no_connection',
  /** It arrives and lands, and the answer is lost or an error. */
  'answer_lost',
  /** It is accepted, and lands only if it is sent again. */
  'dropped',
  /** It is included in a block that is then removed; sent again it lands. */
  'reorganised',
  /** The network reports that these bytes can never land. */
  'rejected',
  /** It is included and fails: it pays nothing. */
  'fails',
  /** The fee is now too low: it stays in the pool. */
  'stuck',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface Lag {
  /** The lagging paths: they answer with the state of the chain when the lag began, until it ends. */
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
  /** What happens to the next broadcast of these bytes. */
  meet(trouble: Trouble, prepared: SignedTransaction): Promise<void>;
  /** A short time passes: about one block. */
  pass(): Promise<void>;
  /** Time passes until these bytes can no longer land. Only called if they have an expiry. */
  untilExpired(prepared: SignedTransaction): Promise<void>;
  /** The amount that a wallet really received, according to the network itself. */
  received(wallet: string): Promise<bigint>;
  /** The watched deposit addresses: all that were requested through this harness. */
  readonly watch: DepositAddresses;
  /** Tokens arrive from outside; with the same id again, the network reports the same transfer. Returns its hash. */
  deposit(id: string, deposit: Arriving): Promise<string>;

  /** A wallet that cannot receive yet, and the step that makes it able to. */
  unready?(): Promise<{ readonly wallet: string; readonly open: () => Promise<void> }>;
  /** A wallet that the token refuses, although it looks ready: alone it fails, in a batch only its payment fails. */
  refusing?(): Promise<string>;
  /**
   * A wallet accepts no tokens from now on: a payment signed for it fails when it is applied. Returns a function that opens it
   * again.
   */
  shut?(wallet: string): Promise<() => Promise<void>>;
  /** The treasury is emptied of tokens, and filled again. */
  treasury?: { empty(): Promise<void>; refill(): Promise<void> };
  /** The same for the coin that pays fees. */
  native?: { empty(): Promise<void>; refill(): Promise<void> };
  /** The network permanently removes the next deposit with this id. */
  willBeGone?(id: string): void;
  /** An unreadable record arrives. */
  poison?(): Promise<void>;
  /** One provider reports a final payment, or a deposit, that does not exist. */
  lie?(prepared: SignedTransaction): Promise<void>;
  /**
   * Some paths of providers lag from now on. The height in each answer is true: a lagging server returns its own height. Returns
   * a function that ends the lag.
   */
  lag?(lag: Lag): Promise<() => Promise<void>>;
  /** Tokens leave the treasury by a transaction that another holder of its key signed. Returns its hash. */
  steal?(amountMinor: bigint): Promise<string>;
  close(): Promise<void>;
}

export interface Arriving {
  readonly address: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
  /** Another token with the same symbol. */
  readonly ourToken?: boolean;
}

/** A payment of the suite. */
export type NewPayment = Partial<Payment> & Pick<Payment, 'to'>;
