// The price offered for a unit of gas. Never more than the operator allows; a replacement always offers enough more for every
// node to accept it instead of the older one.
import type { EvmClient } from '../rpc/client.ts';

const BLOCKS = 10;

/** What the next block costs. */
export interface Market {
  readonly baseFee: bigint;
  readonly tip: bigint;
}

export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** The tip that others pay. Some networks accept nothing below a floor, which only the node's own suggestion shows. */
export async function readMarket(client: EvmClient): Promise<Market> {
  const [history, suggested] = await Promise.all([
    client.feeHistory(BLOCKS),
    client.suggestedTip().catch(() => 0n),
  ]);
  const paid = history.tips.filter((tip) => tip > 0n).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const usual = paid[Math.floor(paid.length / 2)] ?? 0n;
  return { baseFee: history.nextBaseFee, tip: largest(usual, suggested, 1n) };
}

/** Leaves room for the base fee to double; undefined when the next block alone costs more than is allowed. */
export function offer({ baseFee, tip }: Market, capPerGas: bigint): Fees | undefined {
  if (baseFee + tip > capPerGas) return undefined;
  const maxFeePerGas = smallest(2n * baseFee + tip, capPerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: smallest(tip, maxFeePerGas) };
}

/** Whether a price would be taken now: then something else than the price keeps it out of a block. */
export function isEnough({ maxFeePerGas, maxPriorityFeePerGas }: Fees, { baseFee, tip }: Market): boolean {
  return maxFeePerGas >= baseFee + tip && maxPriorityFeePerGas >= tip;
}

/** Both prices at least an eighth higher, and at least the market price; undefined when that is more than is allowed. */
export function outbid(old: Fees, { baseFee, tip }: Market, capPerGas: bigint): Fees | undefined {
  const wanted = smallest(2n * baseFee + tip, capPerGas);
  const maxFeePerGas = largest(eighthMore(old.maxFeePerGas), wanted);
  if (maxFeePerGas > capPerGas) return undefined;
  const maxPriorityFeePerGas = largest(eighthMore(old.maxPriorityFeePerGas), smallest(tip, maxFeePerGas));
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function eighthMore(fee: bigint): bigint {
  return (fee * 9n + 7n) / 8n;
}

function largest(...numbers: readonly bigint[]): bigint {
  return numbers.reduce((a, b) => (a > b ? a : b));
}

function smallest(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
