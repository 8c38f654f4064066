// Defines what a network provides for the contract suite: its adapter, its clock, its troubles, and a direct view of the real
// payments. The suite skips a case that a network does not support, for example because the network has no trustlines.
import type { LagPath, LagServers } from '../../../local-networks/lag.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { DepositAddresses } from '../../../src/ports/networks/network-observer.ts';
import type { Payment, SignedTransaction } from '../../../src/ports/networks/network-payer.ts';

export const TROUBLES = [
  'no_connection',
  /** The payment arrives and gets into a block, but the response is lost or is an error. */
  'answer_lost',
  /** The network accepts the payment, but the payment gets into a block only if it is sent again. */
  'dropped',
  /** A block includes the payment and is then removed. If the payment is sent again, a block includes it again. */
  'reorganised',
  /** The network reports that these bytes can never get into a block. */
  'rejected',
  /** A block includes the payment, but the payment fails and pays nothing. */
  'fails',
  /** The fee is now too low, so the payment stays in the pool. */
  'stuck',
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface Lag {
  /** The paths that lag. Until the lag ends, they respond with the state that the chain had when the lag began. */
  readonly paths: readonly LagPath[];
  readonly providers: 'one' | 'both';
  readonly servers: LagServers;
}

export interface NetworkHarness {
  readonly network: Network;
  restarted(): Promise<Network>;
  wallet(): Promise<string>;
  readonly troubles: ReadonlySet<Trouble>;
  meet(trouble: Trouble, prepared: SignedTransaction): Promise<void>;
  /** A short time passes, about one block. */
  pass(): Promise<void>;
  /** Time passes until these bytes can no longer get into a block. The suite calls this only if the bytes have an expiry. */
  untilExpired(prepared: SignedTransaction): Promise<void>;
  /** Returns the amount that a wallet really received, according to the network itself. */
  received(wallet: string): Promise<bigint>;
  readonly watch: DepositAddresses;
  /**
   * Tokens arrive from outside. If the same id is used again, the network reports the same transfer. Returns the hash of the
   * transfer.
   */
  deposit(id: string, deposit: Arriving): Promise<string>;

  /** Makes a wallet that cannot receive tokens yet; `open` makes it able to receive them. */
  unready?(): Promise<{ readonly wallet: string; readonly open: () => Promise<void> }>;
  /**
   * Makes a wallet that looks ready but that the token refuses. A payment to it fails, and in a batch only that payment fails.
   */
  refusing?(): Promise<string>;
  /**
   * From now on the wallet accepts no tokens, and a payment that was signed for it fails when it is executed. Returns a
   * function that makes the wallet accept tokens again.
   */
  shut?(wallet: string): Promise<() => Promise<void>>;
  /** `empty` removes all tokens from the treasury, and `refill` returns them. */
  treasury?: { empty(): Promise<void>; refill(): Promise<void> };
  /** `empty` and `refill` do the same for the native coin that pays fees. */
  native?: { empty(): Promise<void>; refill(): Promise<void> };
  willBeGone?(id: string): void;
  /** A record arrives that the adapter cannot read. */
  poison?(): Promise<void>;
  /** One provider reports a final payment, or a deposit, that does not exist. */
  lie?(prepared: SignedTransaction): Promise<void>;
  /**
   * From now on, some paths of the providers lag. The height in each response is true, because a lagging server returns its own
   * height. Returns a function that ends the lag.
   */
  lag?(lag: Lag): Promise<() => Promise<void>>;
  /** Tokens leave the treasury in a transaction that another holder of its key signed. Returns the hash of the transaction. */
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

export type NewPayment = Partial<Payment> & Pick<Payment, 'to'>;
