// Completes a response about logs. Such a response contains no block height, so a lagging server responds as if the blocks that
// it has not seen were empty. The headers of the blocks show which blocks may contain more logs. Each header is read by its
// number and linked to the others by hash. The logs of these blocks are requested again by block hash, because then a server
// without the block must return an error.
import { type Hex, hexToBytes, keccak256 } from 'viem';
import { type EvmBlock, type EvmLog, ProviderFailure } from './answers.ts';
import type { EvmClient, LogTopics } from './client.ts';

/** The last block that was read. The next block must link to it. */
export interface LastReadBlock {
  readonly block: bigint;
  /** Null means that the hash is not known. */
  readonly hash: Hex | null;
}

/**
 * The headers of the blocks after `LastReadBlock` up to a block, in order. Throws if a header is missing or the headers are not
 * linked.
 */
export async function readHeadersAfter(
  client: Pick<EvmClient, 'block'>,
  { block, hash }: LastReadBlock,
  to: bigint,
): Promise<readonly EvmBlock[]> {
  const numbers = Array.from({ length: Number(to - block) }, (_, index) => block + 1n + BigInt(index));
  const found = await Promise.all(numbers.map((number) => client.block(number)));
  let before = hash;
  return found.map((header, index) => {
    if (header?.number !== numbers[index]) throw new ProviderFailure('a block is missing', true);
    if (before !== null && header!.parent !== before)
      throw new ProviderFailure('its blocks do not follow each other', true);
    before = header!.hash;
    return header!;
  });
}

/** All logs of these blocks: the logs in the response about the range, and the logs that this response left out. */
export async function completeLogs(
  client: Pick<EvmClient, 'logsIn'>,
  headers: readonly EvmBlock[],
  filter: LogTopics,
  answered: readonly EvmLog[],
): Promise<readonly EvmLog[]> {
  const found = await Promise.all(
    headers.map(async ({ number, hash, bloom }) => {
      const own = answered.filter(({ block }) => block === number);
      if (own.some(({ blockHash }) => blockHash !== hash))
        throw new ProviderFailure('a log belongs to another block', true);
      return own.length > 0 || !bloomMayHold(bloom, filter) ? own : client.logsIn(hash, filter);
    }),
  );
  return found.flat();
}

/** False means that the logs of the block certainly do not match the filter. */
function bloomMayHold(bloom: Hex | null, { address, topics }: LogTopics): boolean {
  if (bloom === null) return true;
  const bits = hexToBytes(bloom);
  const wanted = [...(address === undefined ? [] : [address]), ...topics];
  return wanted.every((each) => each === null || [each].flat().some((value) => isInBloom(bits, value)));
}

function isInBloom(bits: Uint8Array, value: Hex): boolean {
  return bloomBitsOf(value).every((bit) => ((bits.at(-1 - (bit >> 3)) ?? 0) >> (bit & 7)) & 1);
}

/** The positions of three of 2048 bits, computed like on the chain. */
export function bloomBitsOf(value: Hex): readonly number[] {
  const digest = keccak256(value, 'bytes');
  return [0, 2, 4].map((at) => ((digest[at]! << 8) | digest[at + 1]!) & 2047);
}
