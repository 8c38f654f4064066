// The defaults of the networks that the product knows. When a network is opened, all of them are checked against the chain, so
// a wrong value stops the start and loses no money.
import { NETWORK_ROWS } from '../registry.ts';

type KnownNetworkRow = (typeof NETWORK_ROWS)[number];

interface MainNetwork {
  readonly native: { readonly asset: string; readonly decimals: number };
  /** The usual time in milliseconds until a payment is final. */
  readonly finalAfterMs: number;
  readonly chainId?: number;
  readonly passphrase?: string;
}

const MAIN_NETWORKS: ReadonlyMap<string, MainNetwork> = new Map([
  [
    'Stellar',
    {
      native: { asset: 'XLM', decimals: 7 },
      finalAfterMs: 6_000,
      passphrase: 'Public Global Stellar Network ; September 2015',
    },
  ],
  ['Polygon', { native: { asset: 'POL', decimals: 18 }, finalAfterMs: 5_000, chainId: 137 }],
  ['Solana', { native: { asset: 'SOL', decimals: 9 }, finalAfterMs: 13_000 }],
  ['Avalanche', { native: { asset: 'AVAX', decimals: 18 }, finalAfterMs: 2_000, chainId: 43_114 }],
]);

export type KnownNetwork = KnownNetworkRow & MainNetwork;

/** The name matches in any case. */
export function findKnownNetwork(name: string): KnownNetwork | undefined {
  const row = NETWORK_ROWS.find((each) => each.name.toLowerCase() === name.toLowerCase());
  const main = row && MAIN_NETWORKS.get(row.name);
  return main && { ...row, ...main };
}

const TEST_PASSPHRASES: ReadonlySet<string> = new Set([
  'Test SDF Network ; September 2015',
  'Test SDF Future Network ; October 2022',
]);

/** Undefined means that the network is private. */
export function kindOfPassphrase(passphrase: string): 'main' | 'test' | undefined {
  if (TEST_PASSPHRASES.has(passphrase)) return 'test';
  return MAIN_NETWORKS.get('Stellar')?.passphrase === passphrase ? 'main' : undefined;
}
