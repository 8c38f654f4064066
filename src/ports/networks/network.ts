// What the service needs from a blockchain network. A network is found by its name in the API; no code in domain or app knows
// which networks exist. Every adapter passes test/contract/network/suite.ts.
import type { Mode } from '../../domain/values/mode.ts';
import type { NetworkObserver } from './network-observer.ts';
import type { NetworkPayer } from './network-payer.ts';
import type { NetworkWatch } from './network-watch.ts';

/**
 * The part of a network that its settings define: enough to show amounts and to check addresses, without keys and without a
 * provider.
 */
export type AddressProblem = 'wallet_invalid' | 'wallet_network_mismatch' | 'wallet_forbidden';

export type AddressCheck =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly code: AddressProblem; readonly message: string };

export interface NetworkDescription {
  /** The spelling in the API, as the interface lists it. */
  readonly name: string;
  readonly asset: { readonly code: string; readonly decimals: number };
  /** The coin in which the network takes its fees; null if there are no fees. */
  readonly native: { readonly asset: string; readonly decimals: number } | null;
  readonly confirmations: number;
  /** Validates and normalises a destination. Refuses addresses of other networks and addresses that must not be paid. */
  checkAddress(text: string): AddressCheck;
  explorerUrl(hash: string): string | null;
}

/** A network whose keys are loaded and whose settings were checked against the chain: all functions work. */
export interface Network extends NetworkDescription, NetworkPayer, NetworkObserver, NetworkWatch {}

/**
 * A configured network that was not yet checked against its chain: it is not used. The check is repeated until it succeeds; then
 * the network stays enabled.
 */
export interface DisabledNetwork {
  readonly mode: Mode;
  readonly name: string;
  /** The problem, as text for the operator. */
  readonly problem: string;
  /** The assets in its settings; null if these settings have never been checked against the chain. */
  readonly described: Pick<NetworkDescription, 'asset' | 'native'> | null;
}

/** `Each`: the functions that the networks offer. */
export interface Networks<Each extends NetworkDescription = Network> {
  /** The names of all networks, enabled or not, in display order. */
  readonly names: readonly string[];
  /** The spelling in the API for a name written in any case; undefined if the network is unknown. */
  spell(text: string): string | undefined;
  /** The network, if it is enabled in that mode. The network then stays enabled as long as the process runs. */
  find(mode: Mode, name: string): Each | undefined;
  /** The networks that can be used now. More may be enabled later, so do not store the list. */
  enabled(mode: Mode): readonly Each[];
  disabled(mode: Mode): readonly DisabledNetwork[];
}

/** The networks for use cases that only read settings. */
export type DescribedNetworks = Networks<NetworkDescription>;
