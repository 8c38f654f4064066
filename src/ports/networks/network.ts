// What the service needs of a blockchain network, in its own words. A network is looked up by its wire name; nothing in
// domain or app knows which networks exist. Every adapter passes test/contract/network/suite.ts.
import type { Mode } from '../../domain/values/mode.ts';
import type { NetworkObserver } from './network-observer.ts';
import type { NetworkPayer } from './network-payer.ts';
import type { NetworkWatch } from './network-watch.ts';

/**
 * What the settings of a network say about it: enough to show amounts and to check addresses, without keys
 * and without a provider that answers.
 */
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

/** A network that is open with its keys and compared with its chain: it can do everything. */
export interface Network extends NetworkDescription, NetworkPayer, NetworkObserver, NetworkWatch {}

/** Configured, and not compared with its chain yet: nothing is done on it. It is tried again, and enabled for good then. */
export interface DisabledNetwork {
  readonly mode: Mode;
  readonly name: string;
  /** The problem, in words for the operator. */
  readonly problem: string;
  /** What its settings say of its amounts; null where these settings have never been compared with the chain. */
  readonly described: Pick<NetworkDescription, 'asset' | 'native'> | null;
}

/** `Each`: what can be done with the networks. */
export interface Networks<Each extends NetworkDescription = Network> {
  /** The names of all networks, enabled or not, in display order. */
  readonly names: readonly string[];
  /** The wire spelling of a name written in any case, or undefined for an unknown network. */
  spell(text: string): string | undefined;
  /** The network, when it is enabled in that mode. Once it is, it stays so as long as the process lives. */
  find(mode: Mode, name: string): Each | undefined;
  /** The networks that can be used now. More may follow: do not keep the list. */
  enabled(mode: Mode): readonly Each[];
  disabled(mode: Mode): readonly DisabledNetwork[];
}

/** The networks for use cases that only read settings. */
export type DescribedNetworks = Networks<NetworkDescription>;
