// Reads the parameters of a call like a node, with the same defaults (above all finalized) and the same errors.
import { type Address, isAddress } from '@solana/kit';
import { RpcError } from '../../rpc-error.ts';
import { base58Bytes } from '../base58.ts';
import type { LocalBlock } from '../blocks.ts';
import type { ChainView, Commitment } from '../chain-view.ts';
import type { SolanaFaucet } from '../faucet.ts';
import { CONTEXT_SLOT_NOT_REACHED, invalidParams } from './rpc-error.ts';

export type CallConfig = Readonly<Record<string, unknown>>;

export type SendFate = 'queue' | 'drop' | { readonly forkAfterSlots: number };

export interface RpcCall {
  readonly view: ChainView;
  readonly params: readonly unknown[];
  readonly fate: SendFate;
  readonly faucet: SolanaFaucet;
}

export type RpcMethod = (call: RpcCall) => unknown;

export const API_VERSION = '3.1.0';

export function readConfigAt(call: RpcCall, index: number): CallConfig {
  const value = call.params[index] ?? {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalidParams('Invalid params: expected an object');
  return value as CallConfig;
}

export function readAddress(value: unknown): Address {
  if (typeof value === 'string' && isAddress(value)) return value;
  throw invalidParams('Invalid param: WrongSize');
}

export function readTextAt(call: RpcCall, index: number): string {
  const value = call.params[index];
  if (typeof value !== 'string')
    throw invalidParams(`Invalid params: parameter ${index + 1} must be a string`);
  return value;
}

export function readSignature(value: unknown): string {
  try {
    if (typeof value === 'string' && base58Bytes(value).length === 64) return value;
  } catch {
    // The text is not base58. It is refused below like any other wrong text.
  }
  throw invalidParams('Invalid param: WrongSize');
}

export function readInteger(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidParams(`Invalid params: ${name} must be a whole number`);
}

export function readCommitment(value: unknown): Commitment {
  if (value === undefined || value === null) return 'finalized';
  if (value === 'processed' || value === 'confirmed' || value === 'finalized') return value;
  throw invalidParams(`Invalid params: unknown commitment ${JSON.stringify(value)}`);
}

/** The history contains only confirmed blocks. */
export function readHistoryCommitment(config: CallConfig): Commitment {
  const commitment = readCommitment(config.commitment);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

export function blockOfCall(
  call: RpcCall,
  config: CallConfig,
  commitment = readCommitment(config.commitment),
): LocalBlock {
  const block = call.view.block(commitment);
  if (
    config.minContextSlot !== undefined &&
    block.slot < readInteger(config.minContextSlot, 'minContextSlot')
  ) {
    throw new RpcError(CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached', {
      contextSlot: block.slot,
    });
  }
  return block;
}

export function withContext(block: LocalBlock, value: unknown): unknown {
  return { context: { apiVersion: API_VERSION, slot: block.slot }, value };
}

/** Decodes base58, unless the call names another encoding. */
export function decodeBytes(text: string, encoding: unknown): Uint8Array {
  if (encoding === 'base64') {
    const bytes = new Uint8Array(Buffer.from(text, 'base64'));
    if (Buffer.from(bytes).toString('base64') !== text) throw invalidParams('invalid base64 encoding');
    return bytes;
  }
  if (encoding !== undefined && encoding !== 'base58') {
    throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`);
  }
  try {
    return base58Bytes(text);
  } catch {
    throw invalidParams('invalid base58 encoding');
  }
}
