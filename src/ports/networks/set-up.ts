// What the wallet that pays has to sign once before a network can be used: lines, marks, accounts and contracts of its own.
// None of it is a payment. What is missing is always read from the chain, so that a run that was cut short can be continued;
// what was signed is stored first, so that its cost is known however it ends.
import type { SignedSetUp } from '../../domain/records/movement.ts';
import type { Network } from './network.ts';
import type { SignedTransaction, WalletTurn } from './network-payer.ts';

/** One set-up transaction. */
export interface SetUpStep {
  /** What it does, in the operator's words. */
  readonly what: string;
  /** What it takes from the wallet at most, in the native coin: fees, and what is locked. */
  readonly costMinor: bigint;
  /** Signs without broadcasting. Throws SigningRefused, or an Error whose message is for the operator. */
  sign(turn: WalletTurn): Promise<SignedTransaction>;
}

export interface SetUpState {
  /** The steps in their order; only the first may be signed. Empty: the set-up is complete. */
  readonly steps: readonly SetUpStep[];
  /** The coin that the wallet has for the steps. */
  readonly nativeMinor: bigint;
  /** The steps that the operator must do. */
  readonly advice: readonly string[];
}

export interface NetworkSetUp
  extends Pick<Network, 'name' | 'orderedBy' | 'explorerUrl' | 'broadcast' | 'ask'> {
  readonly wallet: string;
  readonly native: { readonly asset: string; readonly decimals: number };
  /** Throws an Error whose message is for the operator when the chain is not what the settings say. */
  look(): Promise<SetUpState>;
}

export interface SetUpRecords {
  /** Signed, and not known to have ended; of all modes and networks, the oldest first. */
  open(): Promise<readonly SignedSetUp[]>;
}
