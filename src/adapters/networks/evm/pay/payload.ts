// The data that is stored for a signed transaction: its bytes, and the items that are needed to read the payments from a receipt.
import { type Hex, keccak256, parseTransaction } from 'viem';
import type { Envelope, SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import type { GasFees } from './fees.ts';

export type PayloadItem =
  | { readonly kind: 'payment'; readonly to: Hex; readonly amountMinor: bigint }
  | { readonly kind: 'sweep'; readonly salt: Hex; readonly amountMinor: bigint };

export interface EvmPayload {
  /** `cancel` uses the nonce of its envelope and pays nothing. */
  readonly kind: 'transfer' | 'disperse' | 'sweep' | 'cancel';
  readonly raw: Hex;
  /** The id of the batch in the contract. */
  readonly batch: Hex | null;
  /** The items are in the order of the payments. The list is empty for `cancel`. */
  readonly items: readonly PayloadItem[];
}

export function writePayload({ kind, raw, batch, items }: EvmPayload): string {
  const plain = items.map((item) => ({ ...item, amountMinor: `${item.amountMinor}` }));
  return JSON.stringify({ kind, raw, batch, items: plain });
}

export function readPayload(text: string): EvmPayload {
  const { kind, raw, batch, items } = JSON.parse(text) as EvmPayload;
  return {
    kind,
    raw,
    batch,
    items: items.map((item) => ({ ...item, amountMinor: BigInt(item.amountMinor) })),
  };
}

export const hashSignedBytes = (raw: Hex): Hex => keccak256(raw);

export function decodeSignedBytes(raw: Hex): {
  to: Hex;
  data: Hex;
  gas: bigint;
  nonce: number;
  fees: GasFees;
} {
  const { to, data, gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw);
  return {
    to: to!,
    data: data ?? '0x',
    gas: gas!,
    nonce: nonce ?? 0,
    fees: { maxFeePerGas: maxFeePerGas!, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n },
  };
}

/** The total of an envelope's payments. A later version with the same nonce does not change it. */
export function totalOfEnvelope({ versions }: Envelope): bigint {
  const totals = versions.map(({ payload }) => sumOfItems(readPayload(payload).items));
  return totals.reduce((a, b) => (a > b ? a : b), 0n);
}

function sumOfItems(items: readonly PayloadItem[]): bigint {
  return items.reduce((total, { amountMinor }) => total + amountMinor, 0n);
}

/** The version with the highest fee, because each later version offers a higher fee than all earlier ones. */
export function newestVersionOf({
  versions,
}: Envelope): SignedTransaction & { readonly content: EvmPayload; readonly fees: GasFees } {
  const read = versions.map((version) => {
    const content = readPayload(version.payload);
    return { ...version, content, fees: decodeSignedBytes(content.raw).fees };
  });
  return read.reduce((a, b) => (b.fees.maxFeePerGas > a.fees.maxFeePerGas ? b : a));
}
