// Whether an answer about logs holds all of them. It names no height: a server that is behind answers as if nothing had
// happened in the blocks that it has not seen. The headers of those blocks, each asked for by its number and linked by hash,
// say which of them may hold more; those are asked again by hash, which a server without them has to refuse.
import { type Hex, hexToBytes, keccak256 } from 'viem';
import { type Block, type Log, ProviderFailure } from './answers.ts';
import type { EvmClient, LogTopics } from './client.ts';

/** The last block that was read: the next one has to come after it. */
export interface Read {
  readonly block: bigint;
  /** Null where it is not known. */
  readonly hash: Hex | null;
}

/** The headers up to a block, in order. Throws where one is missing, or where they are not of one chain. */
export async function headersAfter(
  client: Pick<EvmClient, 'block'>,
  { block, hash }: Read,
  to: bigint,
): Promise<readonly Block[]> {
  const numbers = Array.from({ length: Number(to - block) }, (_, place) => block + 1n + BigInt(place));
  const found = await Promise.all(numbers.map((number) => client.block(number)));
  let before = hash;
  return found.map((header, place) => {
    if (header?.number !== numbers[place]) throw new ProviderFailure('a block is missing', true);
    if (before !== null && header!.parent !== before)
      throw new ProviderFailure('its blocks do not come after each other', true);
    before = header!.hash;
    return header!;
  });
}

/** All logs of these blocks: those that a range was answered with, and those that it lacked. */
export async function completeLogs(
  client: Pick<EvmClient, 'logsIn'>,
  headers: readonly Block[],
  filter: LogTopics,
  answered: readonly Log[],
): Promise<readonly Log[]> {
  const found = await Promise.all(
    headers.map(async ({ number, hash, bloom }) => {
      const own = answered.filter(({ block }) => block === number);
      if (own.some(({ blockHash }) => blockHash !== hash))
        throw new ProviderFailure('a log is of another block', true);
      return own.length > 0 || !mayHold(bloom, filter) ? own : client.logsIn(hash, filter);
    }),
  );
  return found.flat();
}

/** False: certainly none of them is among its logs. */
function mayHold(bloom: Hex | null, { address, topics }: LogTopics): boolean {
  if (bloom === null) return true;
  const bits = hexToBytes(bloom);
  const wanted = [...(address === undefined ? [] : [address]), ...topics];
  return wanted.every((each) => each === null || [each].flat().some((value) => isIn(bits, value)));
}

function isIn(bits: Uint8Array, value: Hex): boolean {
  return placesOf(value).every((place) => ((bits.at(-1 - (place >> 3)) ?? 0) >> (place & 7)) & 1);
}

/** Three places of 2048, as the chain itself computes them. */
export function placesOf(value: Hex): readonly number[] {
  const digest = keccak256(value, 'bytes');
  return [0, 2, 4].map((at) => ((digest[at]! << 8) | digest[at + 1]!) & 2047);
}
