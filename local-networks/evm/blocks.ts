// The blocks of the node: mined one by one with everything about them fixed, so that some can be taken back, others made
// again exactly as they were, and different ones put in their place.
import { type Hex, keccak256, numberToHex } from 'viem';
import type { EvmNode } from './node.ts';

export interface Transaction {
  readonly hash: Hex;
  readonly raw: Hex;
}

export interface Blocks {
  head(): number;
  /** What is in the pool is told by whoever fills it. */
  mine(pool: Map<Hex, Hex>, baseFee: bigint): Promise<void>;
  /** Takes back all above a height and leaves the node's pool empty. Gives what was in them, in order. */
  takeBack(height: number, pool: ReadonlyMap<Hex, Hex>): Promise<readonly Transaction[]>;
}

/** How far back blocks can be taken back. */
const REMEMBERED = 64;
/**
 * How often the node keeps a copy of itself. It never lets go of one, and its size is that of the fullest pool there ever
 * was: so there are few, and the blocks above one are made again.
 */
const COPY_EVERY = 16;
const COPY_EVERY_POOLED = 8;

/** All that decides what a block is, besides its parent. */
interface Recipe {
  readonly timestamp: number;
  readonly random: Hex;
  readonly baseFee: bigint;
}

interface Mined extends Recipe {
  readonly hash: Hex;
  readonly transactions: readonly Transaction[];
  /** The node's copy of itself at this height. */
  copy: Hex | undefined;
}

interface BlockAnswer {
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly transactions: readonly Hex[];
}

export async function makeBlocks(node: EvmNode): Promise<Blocks> {
  const at = (height: number) =>
    node.request<BlockAnswer>('eth_getBlockByNumber', [numberToHex(height), false]);
  const copy = () => node.request<Hex>('evm_snapshot');
  const first = await at(0);
  const blocks = new Map<number, Mined>([
    [
      0,
      {
        hash: first.hash,
        timestamp: Number(first.timestamp),
        random: '0x',
        baseFee: 0n,
        transactions: [],
        copy: await copy(),
      },
    ],
  ]);
  let head = 0;
  let copied = 0;
  let made = 0;
  let fullestPool = 0;

  const make = async ({ timestamp, random, baseFee }: Recipe) => {
    await node.request('hardhat_setNextBlockBaseFeePerGas', [numberToHex(baseFee)]);
    await node.request('hardhat_setPrevRandao', [random]);
    await node.request('evm_mine', [numberToHex(timestamp)]);
    return at(head + 1);
  };
  const forgetOld = () => {
    // From the lowest one that is remembered down to the copy it is made from.
    let lowest = Math.max(0, head - REMEMBERED);
    while (lowest > 0 && blocks.get(lowest)?.copy === undefined) lowest--;
    for (let height = lowest - 1; blocks.delete(height); height--);
  };
  const keepCopy = async () => {
    if (head - copied < Math.max(COPY_EVERY, fullestPool / COPY_EVERY_POOLED)) return;
    blocks.get(head)!.copy = await copy();
    copied = head;
    forgetOld();
  };

  return {
    head: () => head,
    mine: async (pool, baseFee) => {
      fullestPool = Math.max(fullestPool, pool.size);
      const timestamp = Math.max(blocks.get(head)!.timestamp, Math.floor(Date.now() / 1000));
      // Never twice the same: a block that replaces another one differs from it also where both are empty.
      const recipe = { timestamp, random: keccak256(numberToHex(++made)), baseFee };
      const { hash, transactions: hashes } = await make(recipe);
      const transactions = hashes.map((each) => ({ hash: each, raw: pool.get(each)! }));
      for (const each of hashes) pool.delete(each);
      blocks.set(head + 1, { ...recipe, hash, transactions, copy: undefined });
      head++;
      await keepCopy();
      // What is asked about the next block is asked with the fee it will have.
      await node.request('hardhat_setNextBlockBaseFeePerGas', [numberToHex(baseFee)]);
    },
    takeBack: async (height, pool) => {
      let from = height;
      while (blocks.has(from) && blocks.get(from)!.copy === undefined) from--;
      const origin = blocks.get(from);
      if (origin === undefined || !blocks.has(height)) throw new Error(`block ${height} is not remembered`);
      const gone: Transaction[] = [];
      for (let each = height + 1; each <= head; each++) gone.push(...blocks.get(each)!.transactions);
      const again: Mined[] = [];
      for (let each = from + 1; each <= height; each++) again.push(blocks.get(each)!);
      for (let each = from + 1; each <= head; each++) blocks.delete(each);

      await node.request('evm_revert', [origin.copy]);
      origin.copy = await copy();
      copied = from;
      head = from;
      // The pool is as it was then, which means nothing now.
      const known = [
        ...pool.keys(),
        ...[...gone, ...again.flatMap((each) => each.transactions)].map(({ hash }) => hash),
      ];
      for (const hash of known) await node.request('hardhat_dropTransaction', [hash]).catch(() => undefined);
      for (const each of again) {
        for (const { raw } of each.transactions) await node.request('eth_sendRawTransaction', [raw]);
        const { hash } = await make(each);
        if (hash !== each.hash) throw new Error(`block ${head + 1} could not be made again as it was`);
        blocks.set(++head, { ...each, copy: undefined });
      }
      return gone;
    },
  };
}
