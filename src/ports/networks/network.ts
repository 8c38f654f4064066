// What the service needs from a blockchain network. The service finds a network by its name in the API; no code in domain or
// app knows which networks exist. Every adapter passes test/contract/network/suite.ts.
import type { Mode } from '../../domain/values/mode.ts';
import type { NetworkObserver } from './network-observer.ts';
import type { NetworkPayer } from './network-payer.ts';
import type { NetworkWatch } from './network-watch.ts';

/**
 * The part of a network that its settings define. It is enough to show amounts and to check addresses, without keys and without
 * a provider.
 */
export type AddressProblem = 'wallet_invalid' | 'wallet_network_mismatch' | 'wallet_forbidden';

export type AddressCheck =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly code: AddressProblem; readonly message: string };

export interface NetworkDescription {
  /** The name of the network as the API spells it. */
  readonly name: string;
  readonly asset: { readonly code: string; readonly decimals: number };
  /** The coin in which the network takes its fees; null if the network takes no fees. */
  readonly native: { readonly asset: string; readonly decimals: number } | null;
  readonly confirmations: number;
  /**
   * Validates and normalises the address of a recipient. It refuses addresses of other networks and addresses that must not be
   * paid.
   */
  checkAddress(text: string): AddressCheck;
  explorerUrl(hash: string): string | null;
}

/** A network whose keys are loaded and whose settings were checked against the chain, so that all its functions work. */
export interface Network extends NetworkDescription, NetworkPayer, NetworkObserver, NetworkWatch {}

/**
 * A configured network that was not yet checked against its chain, so the service does not use it. The service repeats the
 * check until it succeeds; then the network stays enabled.
 */
export interface DisabledNetwork {
  readonly mode: Mode;
  readonly name: string;
  readonly problem: string;
  /** The assets in the settings of the network; null if these settings have never been checked against the chain. */
  readonly described: Pick<NetworkDescription, 'asset' | 'native'> | null;
}

/** `Each`: the type of a network, which defines the functions that callers can use. */
export interface Networks<Each extends NetworkDescription = Network> {
  /** The names of all networks, enabled or not, in the order in which they are shown. */
  readonly names: readonly string[];
  /** Returns a network's name as the API spells it, for a name in any case. Undefined if the network is unknown. */
  spell(text: string): string | undefined;
  /** Returns the network if it is enabled in that mode. An enabled network stays enabled as long as the process runs. */
  find(mode: Mode, name: string): Each | undefined;
  /** Returns the networks that can be used now. Callers must not store the list, because more networks may be enabled later. */
  enabled(mode: Mode): readonly Each[];
  disabled(mode: Mode): readonly DisabledNetwork[];
}

/** The networks for use cases that only read settings. */
export type DescribedNetworks = Networks<NetworkDescription>;
