// The blocks of the chain and the validity of their hashes. A slot may pass without a block, so heights are lower than slots. A
// transaction may contain the hash of a block until more than 150 blocks follow that block.
import { createHash, randomBytes } from 'node:crypto';
import { base58 } from './base58.ts';

export interface LocalBlock {
  readonly slot: number;
  readonly height: number;
  readonly hash: string;
  readonly timeSeconds: number;
  /** The signature of a vote. Every block of a real network has votes, so every block has content. */
  readonly vote: string;
}

export const BLOCKHASH_LIFE_BLOCKS = 150;
const FIRST_SLOT = 440_208_000;
/**
 * The height is lower than the slot, as if about five in a hundred slots had been skipped since the beginning. Therefore code
 * that confuses slots and heights fails.
 */
const FIRST_HEIGHT = 418_197_600;
/** A real node keeps some hours of its ledger. It cannot prove that something older does not exist. */
const KEPT_BLOCKS = 65_536;

export class LocalBlocks {
  readonly genesisHash = base58(randomBytes(32));
  private list: LocalBlock[] = [];
  private readonly byHash = new Map<string, LocalBlock>();
  private readonly byVote = new Map<string, LocalBlock>();
  private nextSlotNumber = FIRST_SLOT;
  private made = 0;

  get tip(): LocalBlock {
    return this.list.at(-1)!;
  }

  get nextSlot(): number {
    return this.nextSlotNumber;
  }

  /** The newest block at or before a slot. If the slot is older than all kept blocks, the oldest kept block. */
  at(slot: number): LocalBlock {
    let low = 0;
    let high = this.list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.list[middle]!.slot <= slot) low = middle;
      else high = middle - 1;
    }
    return this.list[low]!;
  }

  append(timeSeconds: number): LocalBlock {
    const block = this.make(
      this.nextSlotNumber,
      (this.list.at(-1)?.height ?? FIRST_HEIGHT - 1) + 1,
      timeSeconds,
    );
    this.list.push(block);
    this.nextSlotNumber += 1;
    if (this.list.length > 2 * KEPT_BLOCKS) {
      for (const old of this.list.splice(0, KEPT_BLOCKS)) this.drop(old);
    }
    return block;
  }

  skipSlot(): void {
    this.nextSlotNumber += 1;
  }

  /**
   * Another fork wins. It has the same slots and heights, but other blocks. From now on, the hashes of the lost blocks are
   * unknown.
   */
  replaceAfter(slot: number): void {
    const kept = this.list.filter((block) => block.slot <= slot).length;
    for (const lost of this.list.splice(kept)) {
      this.drop(lost);
      this.list.push(this.make(lost.slot, lost.height, lost.timeSeconds));
    }
  }

  find(hash: string): LocalBlock | undefined {
    return this.byHash.get(hash);
  }

  withVote(signature: string): LocalBlock | undefined {
    return this.byVote.get(signature);
  }

  from(slot: number, limit: number): readonly LocalBlock[] {
    const first = this.list.lastIndexOf(this.at(slot));
    const place = this.list[first]!.slot < slot ? first + 1 : first;
    return this.list.slice(place, place + limit);
  }

  /**
   * Whether a transaction with this hash may be in the block after `newest`. As on the real network, the age of a hash is
   * checked against the newest finished block. Therefore a transaction may land one block above its lastValidBlockHeight.
   */
  isUsable(hash: string, newest: LocalBlock): boolean {
    const block = this.byHash.get(hash);
    if (block === undefined || block.slot > newest.slot) return false;
    return newest.height - block.height <= BLOCKHASH_LIFE_BLOCKS;
  }

  private make(slot: number, height: number, timeSeconds: number): LocalBlock {
    this.made += 1;
    const seed = `${this.genesisHash} ${slot} ${this.made}`;
    const hashed = (algorithm: string) => base58(createHash(algorithm).update(seed).digest());
    const block: LocalBlock = { slot, height, hash: hashed('sha256'), timeSeconds, vote: hashed('sha512') };
    this.byHash.set(block.hash, block);
    this.byVote.set(block.vote, block);
    return block;
  }

  private drop({ hash, vote }: LocalBlock): void {
    this.byHash.delete(hash);
    this.byVote.delete(vote);
  }
}
