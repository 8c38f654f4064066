// What a network provides for the contract suite: the adapter, its clock, its troubles, and a direct view of the real payments. A
// case that a network does not support (for example, no trustlines) is skipped.
import type { LagPath, LagServers } from '../../../local-networks/lag.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { DepositAddresses } from '../../../src/ports/networks/network-observer.ts';
import type { Payment, SignedTransaction } from '../../../src/ports/networks/network-payer.ts';

export const TROUBLES = [
  /** The broadcast does not reach the network. */
  'no_connection',
  /** The payment arrives and gets into a block, but the response is lost or is an error. */
  'answer_lost',
  /** The payment is accepted, but gets into a block only if it is sent again. */
  'dropped',
  /** The payment is included in a block that is then removed; if it is sent again, it is included again. */
  'reorganised',
  /** The network reports that these bytes can never get into a block. */
  'rejected',
  /** The payment is included in a block and fails: it pays nothing. */
  'fails',
  /** The fee is now too low, so the payment stays in the pool. */
  'stuck',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface Lag {
  /** The lagging paths: until the lag ends, they respond with the state of the chain when the lag began. */
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
  /** Sets what happens to the next broadcast of these bytes. */
  meet(trouble: Trouble, prepared: SignedTransaction): Promise<void>;
  /** A short time passes: about one block. */
  pass(): Promise<void>;
  /** Time passes until these bytes can no longer get into a block. Called only if the bytes have an expiry. */
  untilExpired(prepared: SignedTransaction): Promise<void>;
  /** The amount that a wallet really received, according to the network itself. */
  received(wallet: string): Promise<bigint>;
  /** The watched deposit addresses: all addresses that were requested through this harness. */
  readonly watch: DepositAddresses;
  /** Tokens arrive from outside; if the same id is used again, the network reports the same transfer. Returns its hash. */
  deposit(id: string, deposit: Arriving): Promise<string>;

  /** A wallet that cannot receive tokens yet, and the step that makes it able to. */
  unready?(): Promise<{ readonly wallet: string; readonly open: () => Promise<void> }>;
  /** A wallet that looks ready, but that the token refuses: a payment to it fails, and in a batch only that payment fails. */
  refusing?(): Promise<string>;
  /**
   * From now on the wallet accepts no tokens: a payment that was signed for it fails when it is executed. Returns a function that
   * makes the wallet accept tokens again.
   */
  shut?(wallet: string): Promise<() => Promise<void>>;
  /** Removes all tokens from the treasury, and returns them. */
  treasury?: { empty(): Promise<void>; refill(): Promise<void> };
  /** The same for the native coin that pays fees. */
  native?: { empty(): Promise<void>; refill(): Promise<void> };
  /** The network permanently removes the next deposit with this id. */
  willBeGone?(id: string): void;
  /** An unreadable record arrives. */
  poison?(): Promise<void>;
  /** One provider reports a final payment, or a deposit, that does not exist. */
  lie?(prepared: SignedTransaction): Promise<void>;
  /**
   * From now on, some paths of the providers lag. The height in each response is true: a lagging server returns its own height.
   * Returns a function that ends the lag.
   */
  lag?(lag: Lag): Promise<() => Promise<void>>;
  /** Tokens leave the treasury in a transaction that another holder of its key signed. Returns its hash. */
  steal?(amountMinor: bigint): Promise<string>;
  close(): Promise<void>;
}

export interface Arriving {
  readonly address: string;
  readonly memo: string | null;
  readonly amountMinor: bigint;
  /** False for another token with the same symbol. */
  readonly ourToken?: boolean;
}

/** A payment of the suite. */
export type NewPayment = Partial<Payment> & Pick<Payment, 'to'>;
