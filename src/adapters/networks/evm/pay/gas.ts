// Computes the gas limit of a transaction. If the chain responds, the limit is an estimate. Otherwise it is so high that the
// contracts never run out of gas. Unused gas costs nothing.
import type { ContractCall, EvmClient } from '../rpc/client.ts';
import type { EvmPayload, PayloadItem } from './payload.ts';

/** The gas that the contracts require before each item, and the additional gas for the whole call. */
const PER_PAYMENT = 235_000n;
const PER_SWEEP = 460_000n;
const AROUND = 100_000n;
/** The minimum gas that a successful item uses. A lower estimate means that an item failed. */
const USED_PER_PAYMENT = 75_000n;
const USED_PER_SWEEP = 200_000n;
const TRANSFER = 200_000n;
export const CANCEL_GAS = 21_000n;
/** Networks refuse a transaction with a gas limit above about 16.7 million. */
const MOST = 16_000_000n;

export type GroupKind = Exclude<EvmPayload['kind'], 'cancel'>;

export function mostItemsPerTransaction(kind: GroupKind, blockGasLimit: bigint): number {
  if (kind === 'transfer') return 1;
  const half = blockGasLimit / 2n;
  const room = (half < MOST ? half : MOST) - AROUND;
  const perItem = kind === 'disperse' ? PER_PAYMENT : PER_SWEEP;
  return room < perItem ? 1 : Number(room / perItem);
}

export async function estimateGasFor(
  client: EvmClient,
  call: ContractCall,
  { kind, items }: { readonly kind: GroupKind; readonly items: readonly PayloadItem[] },
): Promise<bigint> {
  const count = BigInt(items.length);
  const enough = kind === 'transfer' ? TRANSFER : AROUND + count * gasPerItem(kind);
  // The state may be different when the transaction is executed, because earlier payments are still pending. So an error of the
  // estimate proves nothing.
  const estimate = await client.estimateGas(call).catch(() => enough);
  const withMargin = (estimate * 5n) / 4n;
  const least = kind === 'transfer' ? 0n : AROUND + gasPerItem(kind) + count * gasUsedBy(kind);
  const wanted = withMargin > least ? withMargin : least;
  return wanted < enough || kind === 'transfer' ? wanted : enough;
}

function gasPerItem(kind: GroupKind): bigint {
  return kind === 'disperse' ? PER_PAYMENT : PER_SWEEP;
}

function gasUsedBy(kind: GroupKind): bigint {
  return kind === 'disperse' ? USED_PER_PAYMENT : USED_PER_SWEEP;
}
