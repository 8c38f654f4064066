// The addresses of a key on each family of networks, so that people can identify the wallet.
import type { Scheme } from '../../ports/signer.ts';
import { type KeyAddresses, KeyFileError } from './key-file-format.ts';
import { makeKeyMaterial } from './key-material.ts';

/** The order of the group: a secp256k1 key must be greater than zero and less than this. */
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

export async function addressesOf(secret: Uint8Array, schemes: readonly Scheme[]): Promise<KeyAddresses> {
  const material = makeKeyMaterial(secret);
  const evm = schemes.includes('secp256k1') ? await evmAddress(secret, material) : undefined;
  if (!schemes.includes('ed25519')) return { ...(evm !== undefined && { evm }) };
  const publicKey = Buffer.from(await material.publicKey('ed25519'));
  const [{ getAddressDecoder }, { StrKey }] = await Promise.all([
    import('@solana/addresses'),
    import('../networks/stellar/horizon/strkey.ts'),
  ]);
  return {
    ...(evm !== undefined && { evm }),
    solana: getAddressDecoder().decode(publicKey),
    stellar: StrKey.encodeEd25519PublicKey(publicKey),
  };
}

async function evmAddress(secret: Uint8Array, material: ReturnType<typeof makeKeyMaterial>): Promise<string> {
  // Checked here, because the library's own error contains the number.
  const number = BigInt(`0x${Buffer.from(secret).toString('hex')}`);
  if (number === 0n || number >= SECP256K1_ORDER) {
    throw new KeyFileError('bad_secret', 'These 32 bytes are not a secp256k1 key.');
  }
  const publicKey = Buffer.from(await material.publicKey('secp256k1'));
  const { publicKeyToAddress } = await import('viem/accounts');
  return publicKeyToAddress(`0x${publicKey.toString('hex')}`);
}
