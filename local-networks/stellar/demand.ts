// How much other users offer for a place in the next ledgers. This ledger has no other users, so a test sets their offers.
import type { PendingQueue } from './queue.ts';
import { BASE_FEE_STROOPS } from './state.ts';

export class FeeDemand {
  readonly #queue: PendingQueue;
  #feePerOperation = BASE_FEE_STROOPS;
  #heldBack = 0;
  #outbids = 0;

  constructor(queue: PendingQueue) {
    this.#queue = queue;
  }

  get feePerOperation(): bigint {
    return this.#feePerOperation;
  }

  get heldBack(): number {
    return this.#heldBack;
  }

  surge(feePerOperation = BASE_FEE_STROOPS): void {
    this.#feePerOperation = feePerOperation;
    this.#outbids = 0;
  }

  outbid(ledgers: number): void {
    this.#outbids = ledgers;
  }

  /**
   * Returns the current fee per operation of a closing ledger. Counts the transactions that offer less, because they must wait.
   */
  close(): bigint {
    if (this.#outbids > 0 && this.#feePerOperation === BASE_FEE_STROOPS && this.#queue.size > 0)
      this.#feePerOperation = 2n * this.#queue.highestBid;
    const asked = this.#feePerOperation;
    const held = this.#queue.offeringLess(asked);
    this.#heldBack += held;
    if (held > 0 && this.#outbids > 0) {
      this.#outbids -= 1;
      if (this.#outbids === 0) this.surge();
    }
    return asked;
  }
}
