// What the settings of a network say about it: enough to show amounts and to check addresses, without keys and without a
// provider that answers.

export type AddressProblem = 'wallet_invalid' | 'wallet_network_mismatch' | 'wallet_forbidden';

export type AddressCheck =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly code: AddressProblem; readonly message: string };

export interface NetworkDescription {
  /** The wire spelling, e.g. as the interface lists it. */
  readonly name: string;
  readonly asset: { readonly code: string; readonly decimals: number };
  /** The coin its fees are paid in; null where there are none. */
  readonly native: { readonly asset: string; readonly decimals: number } | null;
  readonly confirmations: number;
  /** Validates and normalises a destination. Refuses other networks' addresses and ones that must not be paid. */
  checkAddress(text: string): AddressCheck;
  explorerUrl(hash: string): string | null;
}
