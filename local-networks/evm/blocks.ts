// The blocks of the node. All data of a block is fixed when the block is mined. Therefore blocks can be removed, recreated
// exactly as they were, or replaced by different ones.
import { type Hex, keccak256, numberToHex } from 'viem';
import type { EvmNode } from './node.ts';

export interface BlockTransaction {
  readonly hash: Hex;
  readonly raw: Hex;
}

export interface EvmBlocks {
  head(): number;
  /** The caller decides the content of the block by filling the pool. */
  mine(pool: Map<Hex, Hex>, baseFee: bigint): Promise<void>;
  takeBack(height: number, pool: ReadonlyMap<Hex, Hex>): Promise<readonly BlockTransaction[]>;
}

/** How many of the newest blocks can be removed. */
const REMEMBERED = 64;
/**
 * After how many blocks the node saves a snapshot of itself. The node never releases a snapshot, and each is as large as the
 * fullest pool so far. Therefore snapshots are rare, and the blocks above one are recreated.
 */
const COPY_EVERY = 16;
const COPY_EVERY_POOLED = 8;

interface BlockRecipe {
  readonly timestamp: number;
  readonly random: Hex;
  readonly baseFee: bigint;
}

interface MinedBlock extends BlockRecipe {
  readonly hash: Hex;
  readonly transactions: readonly BlockTransaction[];
  copy: Hex | undefined;
}

interface BlockAnswer {
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly Hex[];
}

interface BlockTape {
  readonly node: EvmNode;
  readonly blocks: Map<number, MinedBlock>;
  head: number;
  copied: number;
  made: number;
  fullestPool: number;
}

export async function makeBlocks(node: EvmNode): Promise<EvmBlocks> {
  const tape: BlockTape = { node, blocks: new Map(), head: 0, copied: 0, made: 0, fullestPool: 0 };
  const { hash, timestamp } = await blockAt(tape, 0);
  const first = { timestamp: Number(timestamp), random: '0x', baseFee: 0n } as const;
  tape.blocks.set(0, { ...first, hash, transactions: [], copy: await copyState(tape) });
  return {
    head: () => tape.head,
    mine: (pool, baseFee) => mineBlock(tape, pool, baseFee),
    takeBack: (height, pool) => takeBackBlocks(tape, height, pool),
  };
}

async function mineBlock(tape: BlockTape, pool: Map<Hex, Hex>, baseFee: bigint): Promise<void> {
  const { node, blocks } = tape;
  tape.fullestPool = Math.max(tape.fullestPool, pool.size);
  const timestamp = Math.max(blocks.get(tape.head)!.timestamp, Math.floor(Date.now() / 1000));
  // This value never repeats. Therefore a block that replaces another one differs from it even if both are empty.
  const recipe = { timestamp, random: keccak256(numberToHex(++tape.made)), baseFee };
  const { hash, transactions: hashes } = await makeBlock(tape, recipe);
  const transactions = hashes.map((each) => ({ hash: each, raw: pool.get(each)! }));
  for (const each of hashes) pool.delete(each);
  blocks.set(++tape.head, { ...recipe, hash, transactions, copy: undefined });
  if (tape.head - tape.copied >= Math.max(COPY_EVERY, tape.fullestPool / COPY_EVERY_POOLED)) {
    blocks.get(tape.head)!.copy = await copyState(tape);
    tape.copied = tape.head;
    forgetOldBlocks(tape);
  }
  // Calls about the next block then use the fee that the block will have.
  await node.request('hardhat_setNextBlockBaseFeePerGas', [numberToHex(baseFee)]);
}

async function takeBackBlocks(
  tape: BlockTape,
  height: number,
  pool: ReadonlyMap<Hex, Hex>,
): Promise<readonly BlockTransaction[]> {
  const { node, blocks } = tape;
  let from = height;
  while (blocks.has(from) && blocks.get(from)!.copy === undefined) from--;
  const origin = blocks.get(from);
  if (origin === undefined) throw new Error(`block ${height} is not remembered`);
  const between = (low: number, high: number) =>
    Array.from({ length: high - low }, (_, place) => blocks.get(low + 1 + place)!);
  const again = between(from, height);
  const gone = between(height, tape.head).flatMap(({ transactions }) => transactions);
  for (let each = from + 1; each <= tape.head; each++) blocks.delete(each);

  await node.request('evm_revert', [origin.copy]);
  // The node can restore a snapshot only once, so it takes a new one.
  origin.copy = await copyState(tape);
  tape.copied = from;
  tape.head = from;
  // The restored pool has its old content, which is obsolete. Therefore the old content is removed.
  const known = [...gone, ...again.flatMap(({ transactions }) => transactions)].map(({ hash }) => hash);
  for (const hash of [...pool.keys(), ...known]) {
    await node.request('hardhat_dropTransaction', [hash]).catch(() => undefined);
  }
  for (const each of again) {
    for (const { raw } of each.transactions) await node.request('eth_sendRawTransaction', [raw]);
    const { hash } = await makeBlock(tape, each);
    if (hash !== each.hash) throw new Error(`block ${tape.head + 1} could not be made again as it was`);
    blocks.set(++tape.head, { ...each, copy: undefined });
  }
  return gone;
}

async function makeBlock(tape: BlockTape, { timestamp, random, baseFee }: BlockRecipe): Promise<BlockAnswer> {
  await tape.node.request('hardhat_setNextBlockBaseFeePerGas', [numberToHex(baseFee)]);
  await tape.node.request('hardhat_setPrevRandao', [random]);
  await tape.node.request('evm_mine', [numberToHex(timestamp)]);
  return blockAt(tape, tape.head + 1);
}

const blockAt = ({ node }: BlockTape, height: number) =>
  node.request<BlockAnswer>('eth_getBlockByNumber', [numberToHex(height), false]);

const copyState = ({ node }: BlockTape) => node.request<Hex>('evm_snapshot');

/** Keeps the blocks that can be removed and the blocks below them down to the nearest snapshot. Deletes all older blocks. */
function forgetOldBlocks({ blocks, head }: BlockTape): void {
  let lowest = Math.max(0, head - REMEMBERED);
  while (lowest > 0 && blocks.get(lowest)?.copy === undefined) lowest--;
  for (let height = lowest - 1; blocks.delete(height); height--);
}
