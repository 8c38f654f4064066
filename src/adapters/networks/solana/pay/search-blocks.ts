// Searches for signed bytes in every final block that could contain them. Only this proves that they did not land. A status can
// be missing because the server has a gap in its history, and a list of signatures has the same gap. The blocks form a chain.
// Each block contains the hash of the block before it, so a provider cannot leave one out. If a block cannot be read, the
// result stays open.
import type { SolanaChain } from '../rpc/chain.ts';
import type { SolanaClient } from '../rpc/client.ts';
import { rememberNewest } from './broadcaster.ts';

/** The number of blocks for which a blockhash is valid. Bytes may land one block after that. */
const BLOCKHASH_BLOCKS = 150n;
/**
 * The number of blocks to list: the block whose hash is in the bytes, all blocks that could contain the bytes, the first block
 * that cannot, and a reserve.
 */
const LISTED = 200;
const AT_ONCE = 8;
/** The maximum time of one search. Blocks that were read are remembered, and the next search continues from there. */
const LONGEST_LOOK_MS = 5_000;
const REMEMBERED_BLOCKS = 1_000;

interface BlockLink {
  readonly slot: bigint;
  readonly height: bigint;
  readonly hash: string;
  readonly parentHash: string;
  readonly parentSlot: bigint;
  /**
   * The first eight characters of each signature. If two signatures have the same ones, the search may report `found` although
   * the bytes are not in the block.
   */
  readonly marks: BigUint64Array;
}

export interface InNoBlock {
  readonly kind: 'nowhere';
  readonly height: bigint;
  readonly blockhash: string;
  /** The height of the first block that cannot contain the bytes. */
  readonly impossibleFrom: bigint;
}

export type BlockSearch =
  | InNoBlock
  | { readonly kind: 'found'; readonly slot: bigint }
  /** The provider's final blocks do not reach far enough yet, or the search ran out of time. */
  | { readonly kind: 'behind' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export function lastPossibleHeight(bound: string): bigint {
  return BigInt(bound) + 1n;
}

interface SoughtBytes {
  readonly hash: string;
  readonly bound: string;
  readonly blockhash: string;
  /** The slot of the block whose hash is in the transaction. */
  readonly slot: bigint;
}

/**
 * The remembered blocks by provider and slot. The search for other bytes with the same or a similar blockhash needs the same
 * blocks.
 */
const linksByClient = new WeakMap<SolanaClient, Map<string, BlockLink>>();

export async function searchBlocks(
  { clock }: Pick<SolanaChain, 'clock'>,
  client: SolanaClient,
  { hash, bound, blockhash, slot }: SoughtBytes,
): Promise<BlockSearch> {
  const endsAtMs = clock.now() + LONGEST_LOOK_MS;
  const slots = await client.blocksFrom(slot, LISTED);
  const first = slots[0] === undefined ? undefined : await linkAt(client, slots[0]);
  // The bytes can only land after the block whose hash they contain. If that block is not in the chain, the bound cannot be
  // checked.
  if (first?.hash !== blockhash)
    return unreadableSearch('the provider does not show the block whose hash the payment names');
  const last = maxBigint(lastPossibleHeight(bound), first.height + BLOCKHASH_BLOCKS + 1n);
  const impossibleFrom = last + 1n;
  const needed = Number(impossibleFrom - first.height);
  if (needed >= LISTED) return unreadableSearch('its last valid block is further away than the chain allows');
  if (slots.length <= needed) return { kind: 'behind' };
  const ours = markOf(hash);
  let before = first;
  for (let start = 1; start <= needed; start += AT_ONCE) {
    if (clock.now() > endsAtMs) return { kind: 'behind' };
    const some = slots.slice(start, Math.min(start + AT_ONCE, needed + 1));
    for (const [index, link] of (await Promise.all(some.map((each) => linkAt(client, each)))).entries()) {
      if (link === undefined)
        return unreadableSearch(`the provider does not show the block of slot ${some[index]}`);
      if (!followsBlock(link, before))
        return unreadableSearch(`a block before the block of slot ${link.slot} is missing`);
      if (link.marks.includes(ours)) return { kind: 'found', slot: link.slot };
      before = link;
    }
  }
  return { kind: 'nowhere', height: before.height, blockhash: before.hash, impossibleFrom };
}

function unreadableSearch(reason: string): BlockSearch {
  return { kind: 'unreadable', reason };
}

function followsBlock({ height, parentHash, parentSlot }: BlockLink, before: BlockLink): boolean {
  return parentHash === before.hash && parentSlot === before.slot && height === before.height + 1n;
}

async function linkAt(client: SolanaClient, slot: bigint): Promise<BlockLink | undefined> {
  const known = linksByClient.get(client) ?? new Map<string, BlockLink>();
  linksByClient.set(client, known);
  const link = known.get(`${slot}`) ?? (await readLink(client, slot));
  if (link !== undefined) rememberNewest(known, `${slot}`, link, REMEMBERED_BLOCKS);
  return link;
}

async function readLink(client: SolanaClient, slot: bigint): Promise<BlockLink | undefined> {
  const block = await client.block(slot);
  if (block === undefined) return undefined;
  const { signatures, ...rest } = block;
  return { slot, ...rest, marks: BigUint64Array.from(signatures, markOf) };
}

const MARK_LETTERS = 8;

function markOf(signature: string): bigint {
  return Buffer.from(signature.slice(0, MARK_LETTERS).padEnd(MARK_LETTERS), 'latin1').readBigUInt64LE();
}

function maxBigint(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
