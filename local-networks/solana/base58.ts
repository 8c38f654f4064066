// Converts addresses and signatures between bytes and base58. The conversion is slow, and the same addresses occur in every
// transaction. Therefore each address is converted once and cached.
import { type Address, address, getAddressEncoder, getBase58Decoder, getBase58Encoder } from '@solana/kit';

const decoder = getBase58Decoder();
const encoder = getBase58Encoder();
const addressEncoder = getAddressEncoder();
const addressByBytes = new Map<string, Address>();
const bytesByAddress = new Map<Address, Uint8Array>();

export function base58(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function base58Bytes(text: string): Uint8Array {
  return new Uint8Array(encoder.encode(text));
}

export function addressAt(bytes: Uint8Array, offset: number): Address {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset + offset, 32).toString('latin1');
  const found = addressByBytes.get(key);
  if (found !== undefined) return found;
  const own = bytes.slice(offset, offset + 32);
  const made = address(base58(own));
  addressByBytes.set(key, made);
  bytesByAddress.set(made, own);
  return made;
}

export function addressBytes(of: Address): Uint8Array {
  const found = bytesByAddress.get(of);
  if (found !== undefined) return found;
  const made = new Uint8Array(addressEncoder.encode(of));
  bytesByAddress.set(of, made);
  return made;
}
