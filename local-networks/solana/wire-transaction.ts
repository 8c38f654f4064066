// Reads the bytes of a transaction: legacy and version 0, without address lookup tables. The reader is intentionally strict.
// litesvm ends the whole process if it gets bytes that it cannot decode, so malformed bytes must not reach it.
import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import { addressAt, base58 } from './base58.ts';
import { invalidParams } from './rpc/rpc-error.ts';

const MAX_TRANSACTION_BYTES = 1232;

export interface WireInstruction {
  readonly programIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

export interface WireMessage {
  readonly version: 'legacy' | 0;
  readonly bytes: Uint8Array;
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
  /** The first key is the fee payer. */
  readonly keys: readonly Address[];
  readonly blockhash: string;
  readonly instructions: readonly WireInstruction[];
}

export interface WireTransaction {
  readonly bytes: Uint8Array;
  readonly message: WireMessage;
  readonly signature: string;
  /** Two transactions with the same message are the same transaction, even if their signatures differ. */
  readonly messageHash: string;
}

export function readTransaction(bytes: Uint8Array): WireTransaction {
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    throw invalidParams(`transaction too large: ${bytes.length} bytes (max: ${MAX_TRANSACTION_BYTES})`);
  }
  const reader = new WireReader(bytes);
  const signatureCount = reader.count();
  const signatures = reader.take(signatureCount * 64);
  const message = readMessage(bytes.subarray(reader.at));
  if (signatureCount === 0 || signatureCount !== message.signers) throw unsanitaryError();
  return {
    bytes,
    message,
    signature: base58(signatures.subarray(0, 64)),
    messageHash: createHash('sha256').update(message.bytes).digest('base64'),
  };
}

export function readMessage(bytes: Uint8Array): WireMessage {
  const reader = new WireReader(bytes);
  const versioned = (bytes[0] ?? 0) >= 0x80;
  if (versioned && reader.byte() !== 0x80) throw invalidParams('invalid transaction: unsupported version');
  const [signers, readonlySigners, readonlyOthers] = [reader.byte(), reader.byte(), reader.byte()];
  const keys = reader.times(reader.count(), () => reader.address());
  const blockhash = reader.address();
  const instructions = reader.times(reader.count(), () => ({
    programIndex: reader.byte(),
    accounts: Array.from(reader.take(reader.count())),
    data: reader.take(reader.count()),
  }));
  if (versioned && reader.count() > 0) {
    throw invalidParams('invalid transaction: address lookup tables are not supported here');
  }
  if (reader.at !== bytes.length) throw invalidParams('invalid transaction: trailing bytes');
  const message: WireMessage = {
    version: versioned ? 0 : 'legacy',
    bytes,
    signers,
    readonlySigners,
    readonlyOthers,
    keys,
    blockhash,
    instructions,
  };
  if (!isSane(message)) throw unsanitaryError();
  return message;
}

export function isWritable(message: WireMessage, index: number): boolean {
  return index < message.signers
    ? index < message.signers - message.readonlySigners
    : index < message.keys.length - message.readonlyOthers;
}

export function signaturesOf(transaction: WireTransaction): string[] {
  return Array.from({ length: transaction.message.signers }, (_, index) =>
    base58(transaction.bytes.subarray(1 + index * 64, 65 + index * 64)),
  );
}

function isSane({ signers, readonlySigners, readonlyOthers, keys, instructions }: WireMessage): boolean {
  return (
    signers > 0 &&
    readonlySigners < signers &&
    signers + readonlyOthers <= keys.length &&
    keys.length <= 256 &&
    instructions.every(
      ({ programIndex, accounts }) =>
        programIndex > 0 && programIndex < keys.length && accounts.every((account) => account < keys.length),
    )
  );
}

function unsanitaryError(): Error {
  return invalidParams('invalid transaction: Transaction failed to sanitize accounts offsets correctly');
}

class WireReader {
  at = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  take(length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.bytes.length) throw invalidParams('failed to deserialize transaction: unexpected end');
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  address(): Address {
    return addressAt(this.take(32), 0);
  }

  times<T>(count: number, read: () => T): T[] {
    const all: T[] = [];
    for (let index = 0; index < count; index += 1) all.push(read());
    return all;
  }

  /** Reads a length in 1 to 3 bytes, each with 7 bits. Only the shortest encoding is allowed. */
  count(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte === 0 && shift > 0) break;
      if (byte < 0x80) {
        if (value > 0xffff) break;
        return value;
      }
    }
    throw invalidParams('failed to deserialize transaction: bad length');
  }
}
