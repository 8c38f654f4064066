// Which transaction took a place of an account, shown by the block that it is in. That a receipt is missing shows nothing: no
// such answer says how far its server has read. How often an account had sent at a block only says where to look; the block
// itself, linked to the one that is final, is the proof.
import type { Hex } from 'viem';
import { answeredBadly, type Block, ProviderFailure, type Transaction } from './answers.ts';
import type { EvmClient } from './client.ts';
import { headersAfter } from './complete-logs.ts';

/** So many blocks on top are followed where the final one is further away. */
const MOST_LINKED = 256n;

/** The transaction at a place, in a block that stays. */
export interface Taker extends Transaction {
  readonly block: bigint;
  readonly blockHash: Hex;
}

/** Undefined where it is not shown: the place is free, or a server is behind or has forgotten how it was then. */
export async function takerOf(
  client: EvmClient,
  { from, nonce }: Pick<Transaction, 'from' | 'nonce'>,
  finalized: Block,
): Promise<Taker | undefined> {
  try {
    const height = await heightOf(client, { from, nonce }, finalized.number);
    const block = height === undefined ? null : await client.fullBlock(height);
    const taker = block?.transactions.find((each) => each.from === from && each.nonce === nonce);
    if (block === null || block.number !== height || taker === undefined) return undefined;
    await requireFinal(client, { block: block.number, blockHash: block.hash }, finalized);
    return { ...taker, block: block.number, blockHash: block.hash };
  } catch (error) {
    if (answeredBadly(error)) return undefined;
    throw error;
  }
}

/** The first block after which the account had used that place. */
async function heightOf(
  client: EvmClient,
  { from, nonce }: Pick<Transaction, 'from' | 'nonce'>,
  top: bigint,
): Promise<bigint | undefined> {
  const isTaken = async (at: bigint) => (await client.nonce(from, at)) > nonce;
  if (!(await isTaken(top))) return undefined;
  let taken = top;
  let free = top - 1n;
  // Most are near the top, and many servers do not know how it was long ago.
  for (let step = 1n; free >= 0n && (await isTaken(free)); step *= 2n) {
    taken = free;
    free = free > step ? free - step : free - 1n;
  }
  while (taken - free > 1n) {
    const middle = (taken + free) / 2n;
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return taken;
}

/** Throws unless the final block comes after this one. A height alone does not say of which chain it is. */
export async function requireFinal(
  client: Pick<EvmClient, 'block'>,
  { block, blockHash }: Pick<Taker, 'block' | 'blockHash'>,
  finalized: Block,
): Promise<void> {
  const isNear = finalized.number - block <= MOST_LINKED;
  const to = isNear ? finalized.number : block + MOST_LINKED;
  const headers = await headersAfter(client, { block, hash: blockHash }, to);
  if (isNear && (headers.at(-1)?.hash ?? blockHash) !== finalized.hash)
    throw new ProviderFailure('a block is not of the chain that is final', true);
}
