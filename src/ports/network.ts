// What the service needs of a blockchain network, in its own words. A network is looked up by its wire name;
// nothing in domain or app knows which networks exist.
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

export interface Network {
  /** The wire spelling, e.g. as the interface lists it. */
  readonly name: string;
  readonly asset: { readonly code: string; readonly decimals: number };
  readonly confirmations: number;
  /** Validates and normalises a destination. Refuses other networks' addresses and ones that must not be paid. */
  checkAddress(text: string): AddressCheck;
  /** A deposit target that belongs to this transaction alone. The same id always gives the same target. */
  depositTarget(transactionId: string): DepositTarget;
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
