// Looks for signed bytes in every final block that they can be in. Only this shows that they are nowhere: a status can be missing
// because its server has a hole in its history, and a list of signatures has the same hole. The blocks form a chain: each names
// the block before it, so none can be left out. A block that cannot be read leaves the question open.
import type { SolanaChain } from '../rpc/chain.ts';
import type { SolanaClient } from '../rpc/client.ts';
import { rememberNewest } from './broadcaster.ts';

/** For how many blocks after its own a blockhash is valid; bytes may land in one more. */
const BLOCKHASH_BLOCKS = 150n;
/** The block whose hash the bytes name, all in which they can be, the first in which they cannot, and some to spare. */
const LISTED = 200;
const AT_ONCE = 8;
/** A look takes no longer than this; what was read is remembered, and the next look goes on from there. */
const LONGEST_LOOK_MS = 5_000;
/** Of each provider: as many as a few sets of bytes need. */
const REMEMBERED_BLOCKS = 1_000;

/** What is remembered of a block. */
interface BlockLink {
  readonly slot: bigint;
  readonly height: bigint;
  readonly hash: string;
  readonly parentHash: string;
  readonly parentSlot: bigint;
  /** A few letters of each signature: two that share them only make a look say that the bytes may be there. */
  readonly marks: BigUint64Array;
}

export interface InNoBlock {
  readonly kind: 'nowhere';
  /** The first block in which the bytes cannot be. */
  readonly height: bigint;
  readonly blockhash: string;
  /** The first block in which they cannot be, by its height. */
  readonly impossibleFrom: bigint;
}

export type BlockSearch =
  | InNoBlock
  | { readonly kind: 'found'; readonly slot: bigint }
  /** Its final blocks do not reach that far yet, or not all of them were read in this look. */
  | { readonly kind: 'behind' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The last block that the bytes can be in, by the bound they were signed with. */
export function lastPossibleHeight(bound: string): bigint {
  return BigInt(bound) + 1n;
}

interface SoughtBytes {
  readonly hash: string;
  readonly bound: string;
  readonly blockhash: string;
  /** The slot of the block whose hash they name. */
  readonly slot: bigint;
}

/** By provider and slot: other bytes were signed with the same blockhash, or soon after. */
const linksByClient = new WeakMap<SolanaClient, Map<string, BlockLink>>();

export async function searchBlocks(
  { clock }: Pick<SolanaChain, 'clock'>,
  client: SolanaClient,
  { hash, bound, blockhash, slot }: SoughtBytes,
): Promise<BlockSearch> {
  const endsAtMs = clock.now() + LONGEST_LOOK_MS;
  const slots = await client.blocksFrom(slot, LISTED);
  const first = slots[0] === undefined ? undefined : await linkAt(client, slots[0]);
  // The bytes can only follow the block that they name. Where that block is not in the chain the bound cannot be checked.
  if (first?.hash !== blockhash)
    return unreadableSearch('the provider does not show the block whose hash the payment names');
  const last = maxBigint(lastPossibleHeight(bound), first.height + BLOCKHASH_BLOCKS + 1n);
  const impossibleFrom = last + 1n;
  const needed = Number(impossibleFrom - first.height);
  if (needed >= LISTED) return unreadableSearch('its bound is further away than the chain allows');
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
        return unreadableSearch(`a block before that of slot ${link.slot} is left out`);
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
