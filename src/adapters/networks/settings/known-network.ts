// The defaults of the networks the product knows. Everything here is checked against the chain when the
// network is opened, so that a wrong line stops the start and loses nothing.
import { NETWORK_ROWS } from '../registry.ts';

type KnownNetworkRow = (typeof NETWORK_ROWS)[number];

interface MainNetwork {
  readonly native: { readonly asset: string; readonly decimals: number };
  /** How long until a payment is final, usually. */
  readonly finalAfterMs: number;
  /** Of the main network, where the family has one. */
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

/** By its name, in whatever case it is written. */
export function findKnownNetwork(name: string): KnownNetwork | undefined {
  const row = NETWORK_ROWS.find((each) => each.name.toLowerCase() === name.toLowerCase());
  const main = row && MAIN_NETWORKS.get(row.name);
  return main && { ...row, ...main };
}

/** The public test networks of Stellar: testnet and futurenet. */
const TEST_PASSPHRASES: ReadonlySet<string> = new Set([
  'Test SDF Network ; September 2015',
  'Test SDF Future Network ; October 2022',
]);

/** Undefined for a network of one's own. */
export function kindOfPassphrase(passphrase: string): 'main' | 'test' | undefined {
  if (TEST_PASSPHRASES.has(passphrase)) return 'test';
  return MAIN_NETWORKS.get('Stellar')?.passphrase === passphrase ? 'main' : undefined;
}
