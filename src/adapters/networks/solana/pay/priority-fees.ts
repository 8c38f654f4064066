// The price offered per compute unit. It starts at the price in the settings. When bytes expire without being included in a
// block, the price rises, up to a cap. Some time after the last expiry it returns to the start price.
import type { SolanaChain } from '../rpc/chain.ts';
import type { SolanaClient } from '../rpc/client.ts';

const RISES_BY = 2n;
const LEAST_RAISED = 1_000n;
const RAISED_FOR_MS = 10 * 60_000;

export interface PriorityFees {
  /** The price in millionths of a lamport. */
  price(): Promise<bigint>;
  /** The caller must call this when bytes with this price expired, so that no block included them. */
  expired(price: bigint): void;
}

type FeeParts = Pick<SolanaChain, 'settings' | 'providers' | 'treasuryAccount' | 'clock'>;

export function makePriorityFees({ settings, providers, treasuryAccount, clock }: FeeParts): PriorityFees {
  const { priorityFee: usual, priorityFeeCap: cap } = settings;
  let raised = usual;
  let raisedAtMs = 0;
  const current = () => (clock.now() - raisedAtMs < RAISED_FOR_MS ? raised : usual);

  /**
   * The fee that other users recently paid to write to the same account. A provider that does not support this method does not
   * count as failed.
   */
  const market = async (): Promise<bigint> => {
    const ask = (client: SolanaClient) => client.recentFees([treasuryAccount]).catch(() => []);
    const fees = (await providers.one(ask)).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    // The 75th percentile: in a quarter of the blocks the fee was higher.
    const threeQuarters = (fees.length * 3) >> 2;
    return fees[threeQuarters] ?? 0n;
  };

  return {
    price: async () => {
      const price = current();
      if (price <= usual) return usual;
      return minBigint(cap, maxBigint(price, await market()));
    },
    expired: (price) => {
      // If several payments with the same price expire together, the price rises once for all of them.
      if (price < current()) return;
      raised = minBigint(cap, maxBigint(price * RISES_BY, LEAST_RAISED));
      raisedAtMs = clock.now();
    },
  };
}

function maxBigint(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function minBigint(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
