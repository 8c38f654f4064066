// The chain as one provider sees it. A lagging provider is some slots behind in all its responses. Every response is based on
// one of the provider's blocks: the newest one that is processed, confirmed or finalized.
import type { LocalBlock } from './blocks.ts';
import type { CoreChain } from './chain.ts';
import type { LocalLandedTransaction } from './landed-transactions.ts';
import type { TransactionError } from './transaction-errors.ts';

export type Commitment = 'processed' | 'confirmed' | 'finalized';

export class ChainView {
  readonly chain: CoreChain;
  private readonly processedSlot: number;

  constructor(chain: CoreChain, lagSlots = 0) {
    this.chain = chain;
    this.processedSlot = chain.blocks.tip.slot - lagSlots;
  }

  block(commitment: Commitment): LocalBlock {
    const { confirmedAfterSlots, finalizedAfterSlots } = this.chain.options;
    const behindSlots = { processed: 0, confirmed: confirmedAfterSlots, finalized: finalizedAfterSlots }[
      commitment
    ];
    return this.chain.blocks.at(this.processedSlot - behindSlots);
  }

  find(signature: string, commitment: Commitment): LocalLandedTransaction | undefined {
    const landed = this.chain.landed.find(signature);
    return landed !== undefined && landed.block.slot <= this.block(commitment).slot ? landed : undefined;
  }

  findPlaced(
    signature: string,
  ): { readonly slot: number; readonly error: TransactionError | null } | undefined {
    const landed = this.find(signature, 'processed');
    if (landed !== undefined) return { slot: landed.block.slot, error: landed.outcome.error };
    const slot = this.chain.blocks.withVote(signature)?.slot;
    return slot !== undefined && slot <= this.block('processed').slot ? { slot, error: null } : undefined;
  }

  commitmentOf(slot: number): Commitment {
    if (slot <= this.block('finalized').slot) return 'finalized';
    return slot <= this.block('confirmed').slot ? 'confirmed' : 'processed';
  }
}
