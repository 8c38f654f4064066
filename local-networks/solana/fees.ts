// Calculates what a transaction costs its fee payer: 5,000 lamports per signature, plus the compute price times the compute
// limit.
import type { Address } from '@solana/kit';
import type { WireMessage } from './wire-transaction.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO_PER_LAMPORT = 1_000_000n;
const MAX_COMPUTE_UNITS = 1_400_000n;
const UNITS_PER_INSTRUCTION = 200_000n;
const UNITS_PER_BUILTIN = 3_000n;
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;
const BUILTINS: ReadonlySet<string> = new Set([
  COMPUTE_BUDGET,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
]);
const SET_LIMIT = 2;
const SET_PRICE = 3;

export function feeOf(message: WireMessage): bigint {
  let limit: bigint | undefined;
  let priceMicro = 0n;
  let defaultLimit = 0n;
  for (const { programIndex, data } of message.instructions) {
    const program = message.keys[programIndex]!;
    defaultLimit += BUILTINS.has(program) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION;
    if (program !== COMPUTE_BUDGET) continue;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (data[0] === SET_LIMIT && data.length >= 5) limit = BigInt(view.getUint32(1, true));
    if (data[0] === SET_PRICE && data.length >= 9) priceMicro = view.getBigUint64(1, true);
  }
  const wanted = limit ?? defaultLimit;
  const units = wanted > MAX_COMPUTE_UNITS ? MAX_COMPUTE_UNITS : wanted;
  const priority = (priceMicro * units + MICRO_PER_LAMPORT - 1n) / MICRO_PER_LAMPORT;
  return LAMPORTS_PER_SIGNATURE * BigInt(message.signers) + priority;
}
