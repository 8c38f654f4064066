// The transactions that are in a block, with what they did, found by signature, by message and by account.
// A transaction lands once: one with the same message is known here and is refused.
import type { Address } from '@solana/kit';
import type { AccountState } from './account-versions.ts';
import type { Block } from './blocks.ts';
import type { Outcome } from './vm.ts';
import type { WireTransaction } from './wire-transaction.ts';

export interface Landed {
  readonly transaction: WireTransaction;
  readonly block: Block;
  /** Its index in the whole history. */
  readonly position: number;
  readonly outcome: Outcome;
  readonly feeLamports: bigint;
  /** The accounts of the message, in its order, before and after. */
  readonly before: readonly (AccountState | null)[];
  readonly after: readonly (AccountState | null)[];
}

export class LandedTransactions {
  private readonly inOrder: Landed[] = [];
  private readonly bySignature = new Map<string, Landed>();
  private readonly byMessage = new Map<string, Landed>();
  private readonly byAccount = new Map<Address, Landed[]>();

  /** How many there are; also the position of the next. */
  get count(): number {
    return this.inOrder.length;
  }

  add(landed: Landed): void {
    const { signature, messageHash, message } = landed.transaction;
    this.inOrder.push(landed);
    this.bySignature.set(signature, landed);
    this.byMessage.set(messageHash, landed);
    for (const key of new Set(message.keys)) {
      const known = this.byAccount.get(key);
      if (known === undefined) this.byAccount.set(key, [landed]);
      else known.push(landed);
    }
  }

  find(signature: string): Landed | undefined {
    return this.bySignature.get(signature);
  }

  withMessage(messageHash: string): Landed | undefined {
    return this.byMessage.get(messageHash);
  }

  /** Those in one block, in its order. */
  in({ slot }: Block): readonly Landed[] {
    const end = this.inOrder.findLastIndex((landed) => landed.block.slot <= slot) + 1;
    const start = this.inOrder.findLastIndex((landed) => landed.block.slot < slot) + 1;
    return this.inOrder.slice(start, end);
  }

  /** Oldest first. */
  of(account: Address): readonly Landed[] {
    return this.byAccount.get(account) ?? [];
  }

  /** Takes out everything newer than a slot; returns it oldest first. */
  rewind(slot: number): Landed[] {
    const first = this.inOrder.findLastIndex((landed) => landed.block.slot <= slot) + 1;
    const removed = this.inOrder.splice(first);
    for (const { transaction } of removed) {
      this.bySignature.delete(transaction.signature);
      this.byMessage.delete(transaction.messageHash);
      for (const key of new Set(transaction.message.keys)) {
        const list = this.byAccount.get(key)!;
        while ((list.at(-1)?.block.slot ?? 0) > slot) list.pop();
      }
    }
    return removed;
  }
}
