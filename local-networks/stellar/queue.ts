// The transactions that wait for the next ledger. Each source account can have one, as on the real network. A fee-bump with ten
// times the fee may replace the pending one.
import { type CheckContext, checkSubmission } from './checks.ts';
import type { StellarEnvelope } from './envelope.ts';
import type { TransactionVerdict } from './results.ts';
import { BASE_FEE_STROOPS, spendableStroops } from './state.ts';

export type CoreAnswer =
  | { readonly status: 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER' }
  | { readonly status: 'ERROR'; readonly verdict: TransactionVerdict };

const REPLACEMENT_FACTOR = 10n;

function refusedAnswer(
  envelope: StellarEnvelope,
  code: 'txBadSeq' | 'txInsufficientFee' | 'txInsufficientBalance',
): CoreAnswer {
  const feeCharged = BASE_FEE_STROOPS * envelope.feeUnits;
  return { status: 'ERROR', verdict: { code, operations: [], feeCharged } };
}

/** A transaction is a duplicate of a pending fee-bump that contains it. */
function isSameTransaction(waiting: StellarEnvelope, envelope: StellarEnvelope): boolean {
  if (waiting.hashHex === envelope.hashHex) return true;
  return envelope.bump === undefined && waiting.inner.hashHex === envelope.hashHex;
}

export class PendingQueue {
  /** The key is the source account. The order is the order of arrival. */
  readonly #waiting = new Map<string, StellarEnvelope>();

  get size(): number {
    return this.#waiting.size;
  }

  /** With `keep` false, the response says that the transaction is pending, although it is dropped immediately. */
  add(envelope: StellarEnvelope, context: CheckContext, keep: boolean): CoreAnswer {
    const source = envelope.inner.source.id;
    const waiting = this.#waiting.get(source);
    if (waiting !== undefined) {
      const answer = this.#beside(waiting, envelope);
      if (answer !== undefined) return answer;
    }
    const verdict = checkSubmission(envelope, context);
    if (verdict !== undefined) return { status: 'ERROR', verdict };
    const payer = context.state.account(envelope.feeSource.id)!;
    if (spendableStroops(payer) - envelope.feeBid < this.#feesOf(payer.id, waiting)) {
      return refusedAnswer(envelope, 'txInsufficientBalance');
    }
    if (keep) {
      this.#waiting.delete(source);
      this.#waiting.set(source, envelope);
    }
    return { status: 'PENDING' };
  }

  /**
   * Takes the transactions of the next ledger out of the queue, in order of arrival. It takes at most `maxOperations`, and only
   * transactions that offer a sufficient fee. All other transactions stay in the queue.
   */
  take(maxOperations: number, feePerOperation: bigint): StellarEnvelope[] {
    const taken: StellarEnvelope[] = [];
    let operations = 0;
    for (const [source, envelope] of this.#waiting) {
      if (envelope.feeBid < feePerOperation * envelope.feeUnits) continue;
      operations += Number(envelope.feeUnits);
      if (operations > maxOperations && taken.length > 0) break;
      taken.push(envelope);
      this.#waiting.delete(source);
    }
    return taken;
  }

  get highestBid(): bigint {
    const bids = [...this.#waiting.values()].map(({ feeBid, feeUnits }) => feeBid / feeUnits);
    return bids.reduce((a, b) => (a > b ? a : b), 0n);
  }

  offeringLess(feePerOperation: bigint): number {
    const all = [...this.#waiting.values()];
    return all.filter(({ feeBid, feeUnits }) => feeBid < feePerOperation * feeUnits).length;
  }

  #beside(waiting: StellarEnvelope, envelope: StellarEnvelope): CoreAnswer | undefined {
    if (isSameTransaction(waiting, envelope)) return { status: 'DUPLICATE' };
    if (envelope.inner.sequence < waiting.inner.sequence) return refusedAnswer(envelope, 'txBadSeq');
    if (envelope.bump === undefined || envelope.inner.sequence !== waiting.inner.sequence) {
      return { status: 'TRY_AGAIN_LATER' };
    }
    const offered = envelope.feeBid * waiting.feeUnits;
    const needed = waiting.feeBid * envelope.feeUnits * REPLACEMENT_FACTOR;
    return offered < needed ? refusedAnswer(envelope, 'txInsufficientFee') : undefined;
  }

  #feesOf(payer: string, except: StellarEnvelope | undefined): bigint {
    let sum = 0n;
    for (const envelope of this.#waiting.values()) {
      if (envelope !== except && envelope.feeSource.id === payer) sum += envelope.feeBid;
    }
    return sum;
  }
}
