// The networks that the product knows, as rows of data, and the networks that are enabled in each mode. A known network that is
// not enabled still has a name, so that a caller gets the response "not enabled" and not "unknown".
import type { Mode } from '../../domain/values/mode.ts';
import type { DisabledNetwork, Network, NetworkDescription, Networks } from '../../ports/networks/network.ts';
import type { Simulation } from '../simulation/simulation.ts';
import type { SimulatedFamily } from './simulated/family-looks.ts';
import { makeSimulatedNetwork, type SimulatedNetwork } from './simulated/network.ts';

interface ProductNetworkRow {
  readonly name: string;
  readonly family: SimulatedFamily;
  readonly decimals: number;
  readonly confirmations: number;
  readonly tokenAddress: string | null;
  /** `{hash}` is replaced by the transaction's hash. The explorer knows only the hashes of live networks. */
  readonly explorerTxUrl: string;
}

const ASSET_CODE = 'NGNC';

// `confirmations` is the number of blocks until a transaction is final. The decimals of the same coin differ between networks,
// so a live network reads them from the chain.
export const NETWORK_ROWS: readonly ProductNetworkRow[] = [
  {
    name: 'Stellar',
    family: 'stellar',
    decimals: 7,
    // On Stellar, a closed ledger is final.
    confirmations: 1,
    tokenAddress: 'GASBV6W7GGED66MXEVC7YZHTWWYMSVYEY35USF2HJZBLABLYIFQGXZY6',
    explorerTxUrl: 'https://stellar.expert/explorer/public/tx/{hash}',
  },
  {
    name: 'Polygon',
    family: 'evm',
    decimals: 6,
    // A milestone makes blocks final. It covers at least 12 blocks, and the vote on it comes 4 blocks later (PIP-11).
    confirmations: 16,
    tokenAddress: '0xAb9aD9089f23e6779a8727900709427719f753e1',
    explorerTxUrl: 'https://polygonscan.com/tx/{hash}',
  },
  {
    name: 'Solana',
    family: 'solana',
    decimals: 2,
    // A slot is finalized when 31 later slots have been voted on.
    confirmations: 32,
    tokenAddress: '52GzcLDMfBveMRnWXKX7U3Pa5Lf7QLkWWvsJRDjWDBSk',
    explorerTxUrl: 'https://explorer.solana.com/tx/{hash}',
  },
  {
    name: 'Avalanche',
    family: 'evm',
    decimals: 6,
    // On Avalanche, an accepted block is final.
    confirmations: 1,
    tokenAddress: null,
    explorerTxUrl: 'https://snowtrace.io/tx/{hash}',
  },
];

export function makeSimulatedNetworks(
  policy: { readonly offCurve: 'accept' | 'refuse' },
  simulation: Simulation,
): SimulatedNetwork[] {
  return NETWORK_ROWS.map((row) =>
    makeSimulatedNetwork({ ...row, ...policy, assetCode: ASSET_CODE }, simulation),
  );
}

/** The networks of a process. A disabled network is enabled once, after its checks have passed. */
export interface SwitchableNetworks<Each extends NetworkDescription = Network> extends Networks<Each> {
  enable(mode: Mode, network: Each): void;
}

/** `more` contains names that an operator added to the names of the known networks. */
export function makeNetworks<Each extends NetworkDescription = Network>(
  enabled: { readonly [mode in Mode]: readonly Each[] },
  more: readonly string[] = [],
  disabled: readonly DisabledNetwork[] = [],
): SwitchableNetworks<Each> {
  const names = [...new Set([...NETWORK_ROWS.map((row) => row.name), ...more])];
  const spellings = new Map(names.map((name) => [name.toLowerCase(), name]));
  const byMode = { live: indexByName(enabled.live, names), test: indexByName(enabled.test, names) };
  const isEnabled = ({ mode, name }: DisabledNetwork) => byMode[mode].has(name.toLowerCase());
  const listsOf = (mode: Mode) => ({
    enabled: [...byMode[mode].values()],
    disabled: disabled.filter((each) => each.mode === mode && !isEnabled(each)),
  });
  const lists = { live: listsOf('live'), test: listsOf('test') };
  return {
    names,
    spell: (text) => spellings.get(text.toLowerCase()),
    find: (mode, name) => byMode[mode].get(name.toLowerCase()),
    enabled: (mode) => lists[mode].enabled,
    disabled: (mode) => lists[mode].disabled,
    enable: (mode, network) => {
      byMode[mode] = indexByName([...byMode[mode].values(), network], names);
      lists[mode] = listsOf(mode);
    },
  };
}

function indexByName<Each extends NetworkDescription>(
  networks: readonly Each[],
  names: readonly string[],
): Map<string, Each> {
  const rank = (network: Each) => names.indexOf(network.name);
  const map = new Map<string, Each>();
  for (const network of networks.toSorted((a, b) => rank(a) - rank(b))) {
    if (rank(network) < 0) throw new Error(`unknown network: ${network.name}`);
    if (map.has(network.name.toLowerCase())) throw new Error(`network enabled twice: ${network.name}`);
    map.set(network.name.toLowerCase(), network);
  }
  return map;
}
