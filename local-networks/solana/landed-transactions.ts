// The transactions in blocks, with their effects. They can be found by signature, by message and by account. A transaction
// lands once, so a second transaction with the same message is refused.
import type { Address } from '@solana/kit';
import type { LocalAccountState } from './account-versions.ts';
import type { LocalBlock } from './blocks.ts';
import type { ExecutionOutcome } from './vm.ts';
import type { WireTransaction } from './wire-transaction.ts';

export interface LocalLandedTransaction {
  readonly transaction: WireTransaction;
  readonly block: LocalBlock;
  readonly position: number;
  readonly outcome: ExecutionOutcome;
  readonly feeLamports: bigint;
  readonly before: readonly (LocalAccountState | null)[];
  readonly after: readonly (LocalAccountState | null)[];
}

export class LandedTransactions {
  private readonly inOrder: LocalLandedTransaction[] = [];
  private readonly bySignature = new Map<string, LocalLandedTransaction>();
  private readonly byMessage = new Map<string, LocalLandedTransaction>();
  private readonly byAccount = new Map<Address, LocalLandedTransaction[]>();

  get count(): number {
    return this.inOrder.length;
  }

  add(landed: LocalLandedTransaction): void {
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

  find(signature: string): LocalLandedTransaction | undefined {
    return this.bySignature.get(signature);
  }

  withMessage(messageHash: string): LocalLandedTransaction | undefined {
    return this.byMessage.get(messageHash);
  }

  in({ slot }: LocalBlock): readonly LocalLandedTransaction[] {
    const end = this.inOrder.findLastIndex((landed) => landed.block.slot <= slot) + 1;
    const start = this.inOrder.findLastIndex((landed) => landed.block.slot < slot) + 1;
    return this.inOrder.slice(start, end);
  }

  /** Oldest first. */
  of(account: Address): readonly LocalLandedTransaction[] {
    return this.byAccount.get(account) ?? [];
  }

  rewind(slot: number): LocalLandedTransaction[] {
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
