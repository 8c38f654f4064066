// Finds the transaction that used a nonce of an account, and the block that contains it. A missing receipt proves nothing,
// because the response does not show which block the server has reached. The account's nonce at a block only shows where to
// search. The block itself, linked to the final one, is the proof.
import type { Hex } from 'viem';
import { type EvmBlock, type EvmTransaction, isUnusableAnswer, ProviderFailure } from './answers.ts';
import type { EvmClient } from './client.ts';
import { readHeadersAfter } from './complete-logs.ts';

/** If the final block is further away, only this number of later blocks is checked. */
const MOST_LINKED = 256n;

export interface NonceTaker extends EvmTransaction {
  readonly block: bigint;
  readonly blockHash: Hex;
}

/**
 * Undefined means that no transaction was found. Either the nonce is unused, or a server lags behind or no longer has the old
 * state.
 */
export async function findNonceTaker(
  client: EvmClient,
  { from, nonce }: Pick<EvmTransaction, 'from' | 'nonce'>,
  finalized: EvmBlock,
): Promise<NonceTaker | undefined> {
  try {
    const height = await findNonceHeight(client, { from, nonce }, finalized.number);
    const block = height === undefined ? null : await client.fullBlock(height);
    const taker = block?.transactions.find((each) => each.from === from && each.nonce === nonce);
    if (block === null || block.number !== height || taker === undefined) return undefined;
    await requireFinal(client, { block: block.number, blockHash: block.hash }, finalized);
    return { ...taker, block: block.number, blockHash: block.hash };
  } catch (error) {
    if (isUnusableAnswer(error)) return undefined;
    throw error;
  }
}

async function findNonceHeight(
  client: EvmClient,
  { from, nonce }: Pick<EvmTransaction, 'from' | 'nonce'>,
  top: bigint,
): Promise<bigint | undefined> {
  const isTaken = async (at: bigint) => (await client.nonce(from, at)) > nonce;
  if (!(await isTaken(top))) return undefined;
  let taken = top;
  let free = top - 1n;
  // The search starts at the newest blocks, because most nonces were used recently, and many servers do not keep old state.
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

/** Throws unless the final block comes after this one. The height of a block does not show to which chain the block belongs. */
export async function requireFinal(
  client: Pick<EvmClient, 'block'>,
  { block, blockHash }: Pick<NonceTaker, 'block' | 'blockHash'>,
  finalized: EvmBlock,
): Promise<void> {
  const isNear = finalized.number - block <= MOST_LINKED;
  const to = isNear ? finalized.number : block + MOST_LINKED;
  const headers = await readHeadersAfter(client, { block, hash: blockHash }, to);
  if (isNear && (headers.at(-1)?.hash ?? blockHash) !== finalized.hash)
    throw new ProviderFailure('a block does not belong to the final chain', true);
}
