// The state of the local chain: pending, mined and final transactions, and reorganisations. The pool belongs to the node. A
// submitted transaction waits there for a block, for a missing nonce, or for a lower base fee.
import { type Hex, keccak256, numberToHex, parseTransaction, type TransactionSerializedEIP1559 } from 'viem';
import { type EvmBlocks, makeBlocks } from './blocks.ts';
import type { EvmNode } from './node.ts';

export interface Reorganisation {
  /**
   * What happens to the transactions of the removed blocks. They return to the pool, are dropped, or are included in the new
   * blocks.
   */
  readonly transactions?: 'to-pool' | 'dropped' | 'mined-again';
  /** Whether the reorganisation may also replace blocks that were reported as final. */
  readonly breakFinality?: boolean;
}

export interface EvmLedger {
  readonly finalityBlocks: number;
  head(): number;
  /**
   * A reader of the node sees the state before or after a reorganisation, never during one. Therefore reads and reorganisations
   * wait for each other.
   */
  steady<Answer>(read: () => Promise<Answer>): Promise<Answer>;
  idle(): Promise<void>;
  /** Adds the transaction to the pool. If the node refuses it, throws the error of the node. */
  send(raw: Hex): Promise<Hex>;
  pretend(raw: Hex): Hex;
  lostBytes(hash: Hex): Hex | undefined;
  evict(hash: Hex): Promise<void>;
  mine(blocks?: number): Promise<void>;
  reorganise(depth: number, how?: Reorganisation): Promise<readonly Hex[]>;
  baseFee(): bigint;
  setBaseFee(wei: bigint): Promise<void>;
  /** Raises the base fee above the maximum fee of a transaction that is still pending. */
  priceOut(hash: Hex): Promise<void>;
}

export async function makeEvmLedger(
  node: EvmNode,
  { finalityBlocks, baseFee }: { finalityBlocks: number; baseFee: bigint },
): Promise<EvmLedger> {
  const blocks = await makeBlocks(node);
  const course: LedgerCourse = { node, blocks, pool: new Map(), lost: new Map(), fee: baseFee };
  const { pool, lost } = course;
  const turns = makeTurnQueue();
  const steady = makeReadWriteLock();
  return {
    finalityBlocks,
    head: blocks.head,
    steady: steady.read,
    idle: turns.idle,
    send: (raw) => sendToPool(course, raw),
    pretend: (raw) => {
      const hash = keccak256(raw);
      lost.set(hash, raw);
      return hash;
    },
    lostBytes: (hash) => lost.get(hash),
    evict: (hash) =>
      turns.take(async () => {
        const raw = pool.get(hash);
        if (raw === undefined) throw new Error(`${hash} does not wait`);
        pool.delete(hash);
        lost.set(hash, raw);
        await node.request('hardhat_dropTransaction', [hash]);
      }),
    mine: (count = 1) =>
      turns.take(async () => {
        for (let each = 0; each < count; each++) await blocks.mine(pool, course.fee);
      }),
    reorganise: (depth, { transactions = 'to-pool', breakFinality = false } = {}) => {
      const work = async () => {
        if (depth < 1 || depth > blocks.head()) throw new Error(`there are no ${depth} blocks to replace`);
        if (depth > finalityBlocks && !breakFinality) throw new Error(`${depth} blocks deep it is final`);
        return replaceBlocks(course, depth, transactions);
      };
      return turns.take(() => steady.change(work));
    },
    baseFee: () => course.fee,
    setBaseFee: (wei) => turns.take(() => changeBaseFee(course, wei)),
    priceOut: (hash) =>
      turns.take(async () => {
        const raw = pool.get(hash);
        if (raw === undefined) return;
        const { maxFeePerGas = 0n } = parseTransaction(raw as TransactionSerializedEIP1559);
        const dearer = maxFeePerGas + maxFeePerGas / 2n;
        if (dearer > course.fee) await changeBaseFee(course, dearer);
      }),
  };
}

interface LedgerCourse {
  readonly node: EvmNode;
  readonly blocks: EvmBlocks;
  readonly pool: Map<Hex, Hex>;
  readonly lost: Map<Hex, Hex>;
  fee: bigint;
}

/** Runs one change at a time. A change is a block, a reorganisation or a new fee. */
function makeTurnQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take: <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
    idle: async () => void (await last),
  };
}

function makeReadWriteLock() {
  let changing: Promise<unknown> = Promise.resolve();
  let reads = 0;
  let readsOver = Promise.withResolvers<void>();
  return {
    read: async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
      let seen: Promise<unknown>;
      // When one change ends, the next one may already have begun.
      do {
        seen = changing;
        await seen;
      } while (seen !== changing);
      reads++;
      try {
        return await work();
      } finally {
        if (--reads === 0) readsOver.resolve();
      }
    },
    change: <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
      readsOver = Promise.withResolvers<void>();
      if (reads === 0) readsOver.resolve();
      const change = readsOver.promise.then(work);
      changing = change.catch(() => undefined);
      return change;
    },
  };
}

async function changeBaseFee(course: LedgerCourse, wei: bigint): Promise<void> {
  course.fee = wei;
  await course.node.request('hardhat_setNextBlockBaseFeePerGas', [numberToHex(wei)]);
}

async function sendToPool({ node, pool }: LedgerCourse, raw: Hex): Promise<Hex> {
  const hash = keccak256(raw);
  const known = pool.has(hash);
  // The transaction is stored before it is sent, so that a block or a reorganisation in between knows it.
  pool.set(hash, raw);
  try {
    return await node.request<Hex>('eth_sendRawTransaction', [raw]);
  } catch (error) {
    if (!known) pool.delete(hash);
    throw error;
  }
}

async function replaceBlocks(
  { node, blocks, pool, lost, fee }: LedgerCourse,
  depth: number,
  transactions: Reorganisation['transactions'],
): Promise<readonly Hex[]> {
  const gone = await blocks.takeBack(blocks.head() - depth, pool);
  // Mined transactions arrived before the pending ones.
  const waited = [...pool];
  pool.clear();
  const kept = transactions === 'dropped' ? lost : pool;
  for (const { hash, raw } of gone) kept.set(hash, raw);
  for (const [hash, raw] of waited) pool.set(hash, raw);
  const sendPool = async () => {
    for (const raw of pool.values())
      await node.request('eth_sendRawTransaction', [raw]).catch(() => undefined);
  };
  if (transactions === 'mined-again') await sendPool();
  // The new branch is longer than the replaced part, because a node follows only a longer branch.
  for (let each = 0; each <= depth; each++) await blocks.mine(pool, fee);
  if (transactions !== 'mined-again') await sendPool();
  return gone.map(({ hash }) => hash);
}
