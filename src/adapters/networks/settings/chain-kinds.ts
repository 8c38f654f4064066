// Lists which EVM chains are main chains, where tokens have value, and which chains are for tests or run on one machine. The list
// comes from viem's chains. Loading viem's chains takes more than a second, so their ids are stored in a file, and a test
// compares the file with viem.
import chains from './chain-kinds.json' with { type: 'json' };

export const CHAIN_KINDS = ['main', 'test', 'local'] as const;
export type ChainKind = (typeof CHAIN_KINDS)[number];

const KINDS: ReadonlyMap<number, ChainKind> = new Map(
  CHAIN_KINDS.flatMap((kind) => chains[kind].map((id) => [id, kind] as const)),
);

/** Undefined for a chain that is not in the list. */
export function kindOfChain(chainId: number): ChainKind | undefined {
  return KINDS.get(chainId);
}
