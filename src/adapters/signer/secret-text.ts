// Reads the common formats of a secret key: hexadecimal, a Stellar seed, and a Solana key pair in base 58 or as an array of
// numbers. No error contains any part of the input.
import { timingSafeEqual } from 'node:crypto';
import type { Scheme } from '../../ports/signer.ts';
import { KeyFileError } from './key-file-format.ts';
import { makeKeyMaterial } from './key-material.ts';

export interface ParsedSecret {
  readonly secret: Buffer;
  readonly schemes: readonly Scheme[];
}

const HEX = /^(0x)?([0-9a-f]{64})$/i;
const STELLAR_SEED = /^S[A-Z2-7]{55}$/;
const BASE_58 = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/;
const PAIR_BYTES = 64;

export async function readSecretText(sourceText: string): Promise<ParsedSecret> {
  const text = sourceText.trim();
  const hex = HEX.exec(text)?.[2];
  // Hexadecimal text does not show the curve, so the key can be used for both curves.
  if (hex !== undefined) return { secret: Buffer.from(hex, 'hex'), schemes: ['secp256k1', 'ed25519'] };
  if (STELLAR_SEED.test(text)) return { secret: await stellarSeed(text), schemes: ['ed25519'] };
  if (text.startsWith('[')) return { secret: await solanaPair(numbersOf(text)), schemes: ['ed25519'] };
  if (BASE_58.test(text)) return { secret: await solanaPair(await base58(text)), schemes: ['ed25519'] };
  throw badSecretError(
    'Standard input must contain one of: 64 hexadecimal digits, a Stellar seed (S…), a Solana key pair in base 58 or as an array of 64 numbers.',
  );
}

async function stellarSeed(text: string): Promise<Buffer> {
  const { StrKey } = await import('../networks/stellar/horizon/strkey.ts');
  if (!StrKey.isValidEd25519SecretSeed(text))
    throw badSecretError('This Stellar seed has a wrong checksum: a letter is mistyped.');
  return Buffer.from(StrKey.decodeEd25519SecretSeed(text));
}

/** The second half of a Solana key pair is the public key of the first half. */
async function solanaPair(pair: Uint8Array | undefined): Promise<Buffer> {
  if (pair?.length !== PAIR_BYTES) throw badSecretError('A Solana key pair has 64 bytes.');
  const secret = Buffer.from(pair.subarray(0, PAIR_BYTES / 2));
  const publicKey = await makeKeyMaterial(secret).publicKey('ed25519');
  if (timingSafeEqual(publicKey, pair.subarray(PAIR_BYTES / 2))) return secret;
  throw badSecretError('The two halves of this Solana key pair do not belong together.');
}

async function base58(text: string): Promise<Uint8Array> {
  const { getBase58Encoder } = await import('@solana/kit');
  return Uint8Array.from(getBase58Encoder().encode(text));
}

function numbersOf(text: string): Uint8Array | undefined {
  try {
    const numbers = JSON.parse(text) as unknown[];
    const isByte = (each: unknown) =>
      Number.isInteger(each) && (each as number) >= 0 && (each as number) < 256;
    return numbers.every(isByte) ? Uint8Array.from(numbers as number[]) : undefined;
  } catch {
    return undefined;
  }
}

function badSecretError(message: string): KeyFileError {
  return new KeyFileError('bad_secret', message);
}
