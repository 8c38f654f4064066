// Computes the price that is offered per unit of gas. It is never above the operator's limit. A replacement always offers so
// much more that every node accepts it in place of the older version.
import type { EvmClient } from '../rpc/client.ts';

const BLOCKS = 10;

export interface FeeMarket {
  readonly baseFee: bigint;
  readonly tip: bigint;
}

export interface GasFees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** The tip that other users pay. Some networks have a minimum tip, which only the suggestion of the node shows. */
export async function readFeeMarket(client: EvmClient): Promise<FeeMarket> {
  const [history, suggested] = await Promise.all([
    client.feeHistory(BLOCKS),
    client.suggestedTip().catch(() => 0n),
  ]);
  const paid = history.tips.filter((tip) => tip > 0n).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const usual = paid[Math.floor(paid.length / 2)] ?? 0n;
  return { baseFee: history.nextBaseFee, tip: maxOf(usual, suggested, 1n) };
}

/**
 * The offer is still high enough if the base fee doubles. Undefined means that the price of the next block is already above the
 * limit.
 */
export function offerFees({ baseFee, tip }: FeeMarket, capPerGas: bigint): GasFees | undefined {
  if (baseFee + tip > capPerGas) return undefined;
  const maxFeePerGas = minOf(2n * baseFee + tip, capPerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: minOf(tip, maxFeePerGas) };
}

/** Whether the price is high enough now. If it is, the transaction waits for a different reason. */
export function isFeeEnough(
  { maxFeePerGas, maxPriorityFeePerGas }: GasFees,
  { baseFee, tip }: FeeMarket,
): boolean {
  return maxFeePerGas >= baseFee + tip && maxPriorityFeePerGas >= tip;
}

/** Raises both prices by at least an eighth, and to at least the market price. Undefined means that this is above the limit. */
export function outbidFees(
  old: GasFees,
  { baseFee, tip }: FeeMarket,
  capPerGas: bigint,
): GasFees | undefined {
  const wanted = minOf(2n * baseFee + tip, capPerGas);
  const maxFeePerGas = maxOf(addEighth(old.maxFeePerGas), wanted);
  if (maxFeePerGas > capPerGas) return undefined;
  const maxPriorityFeePerGas = maxOf(addEighth(old.maxPriorityFeePerGas), minOf(tip, maxFeePerGas));
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function addEighth(fee: bigint): bigint {
  return (fee * 9n + 7n) / 8n;
}

function maxOf(...numbers: readonly bigint[]): bigint {
  return numbers.reduce((a, b) => (a > b ? a : b));
}

function minOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
