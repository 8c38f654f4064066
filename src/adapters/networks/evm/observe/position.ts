// The position of the observer. It contains the number and hash of the last final block that was read, and the later transfers
// with their sender and nonce. The nonce is needed to prove that a missing transfer can never reappear.
import type { Hex } from 'viem';

export interface TransferOrigin {
  readonly from: Hex;
  readonly nonce: number;
}

export interface EvmPosition {
  readonly block: bigint;
  /** Null means that no block was read yet. */
  readonly hash: Hex | null;
  readonly open: ReadonlyMap<string, TransferOrigin>;
}

/** The oldest transfers are dropped first. They then count as unknown. */
export const MOST_OPEN_TRANSFERS = 500;

export function writePosition({ block, hash, open }: EvmPosition): string {
  const rows = [...open].slice(-MOST_OPEN_TRANSFERS).map(([tx, { from, nonce }]) => [tx, from, nonce]);
  return JSON.stringify({ block: `${block}`, hash, open: rows });
}

/**
 * The position at a block that an operator has chosen. It does not contain the hash of the block before, because that block may
 * have been replaced.
 */
export const BLOCK_POSITIONS = {
  nextOf: (position: string): bigint => readPosition(position).block + 1n,
  positionAt: (next: bigint): string => writePosition({ block: next - 1n, hash: null, open: new Map() }),
};

export function readPosition(text: string): EvmPosition {
  const { block, hash, open } = JSON.parse(text) as {
    block: string;
    hash: Hex | null;
    open: readonly [string, Hex, number][];
  };
  return {
    block: BigInt(block),
    hash,
    open: new Map(open.map(([tx, from, nonce]) => [tx, { from, nonce }])),
  };
}
