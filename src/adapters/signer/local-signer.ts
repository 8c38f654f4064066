// The signer that reads its keys from the key file when it is opened and signs in this process. The keys stay in closures. An
// adapter for a KMS or a custody service can replace this signer behind the same port. There, `publicKey` queries the vendor
// once and caches the response. `sign` sends the digest or message and converts the vendor's encoding to that of the port (for
// secp256k1: r, s in the lower half, and the recovery bit, which is found by trying both values). Refusals and outages become
// SigningRefused. Derived keys are made from the bytes of the secret, and such a vendor does not reveal those bytes. So the
// adapter needs the vendor's own derivation, or a key in this file for deposit addresses in addition to the vendor's key for
// the treasury. The guard wraps either adapter.
import { type Scheme, type Signer, SigningRefused } from '../../ports/signer.ts';
import { type KeyFile, openKeys } from './key-file.ts';
import { KeyFileError } from './key-file-format.ts';
import { type KeySigner, makeKeyMaterial } from './key-material.ts';

const DIGEST_BYTES = 32;

export async function openLocalSigner(file: KeyFile, passphrase: string): Promise<Signer> {
  const keys = new Map<string, { readonly material: KeySigner; readonly schemes: readonly Scheme[] }>();
  for (const { name, schemes, secret } of await openKeys(file, passphrase)) {
    keys.set(name, { material: makeKeyMaterial(secret), schemes });
    secret.fill(0);
  }
  const find = (name: string, scheme: Scheme): KeySigner => {
    const found = keys.get(name);
    if (found === undefined) {
      throw new KeyFileError(
        'key_missing',
        `There is no key "${name}" in ${file.location}; it has ${[...keys.keys()].join(', ')}. Create it with: bin/sliproad signer create-key ${name}`,
      );
    }
    if (found.schemes.includes(scheme)) return found.material;
    throw new KeyFileError('key_missing', `The key "${name}" is not one for ${scheme}.`);
  };
  return {
    publicKey: async (key, scheme) => find(key, scheme).publicKey(scheme),
    derivedPublicKey: (key, name) => find(key, 'ed25519').derivedPublicKey(name),
    sign: async ({ key, scheme, message, derived }) => {
      if (scheme === 'secp256k1' && message.length !== DIGEST_BYTES) {
        throw new Error('secp256k1 signs a digest of 32 bytes');
      }
      return findForSigning(() => find(key, scheme)).sign(scheme, message, derived);
    },
  };
}

/** Without the key, the signer signs nothing, and payments wait until an operator adds the key. */
function findForSigning(find: () => KeySigner): KeySigner {
  try {
    return find();
  } catch (error) {
    throw new SigningRefused('unavailable', (error as Error).message, { cause: error });
  }
}
