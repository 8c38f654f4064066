// What the paying wallet must sign once before a network can be used: trustlines, flags, accounts and our own contracts. None of
// these is a payment. The missing steps are always read from the chain, so an interrupted run can continue. Each signed step is
// stored before it is broadcast, so its cost is always known.
import type { SignedSetUp } from '../../domain/records/movement.ts';
import type { Network } from './network.ts';
import type { SignedTransaction, WalletTurn } from './network-payer.ts';

export interface SetUpStep {
  readonly what: string;
  /** The maximum cost of the step for the wallet, in the native coin: fees and locked coin. */
  readonly costMinor: bigint;
  /** Signs the step without broadcasting it. It throws SigningRefused, or an Error whose message is for the operator. */
  sign(turn: WalletTurn): Promise<SignedTransaction>;
}

export interface SetUpState {
  /** The missing steps in order. Only the first step may be signed. The list is empty if the set-up is complete. */
  readonly steps: readonly SetUpStep[];
  /** The amount of native coin that the wallet has for the steps. */
  readonly nativeMinor: bigint;
  /** The steps that the operator must do by hand. */
  readonly advice: readonly string[];
}

export interface NetworkSetUp
  extends Pick<Network, 'name' | 'orderedBy' | 'explorerUrl' | 'broadcast' | 'ask'> {
  readonly wallet: string;
  readonly native: { readonly asset: string; readonly decimals: number };
  /**
   * Reads the missing steps from the chain. It throws an Error with a message for the operator if the chain differs from the
   * settings.
   */
  look(): Promise<SetUpState>;
}

export interface SetUpRecords {
  /** Returns the signed set-up steps whose outcome is unknown, of all modes and networks, oldest first. */
  open(): Promise<readonly SignedSetUp[]>;
}
