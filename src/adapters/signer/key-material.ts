// Signs with 32 secret bytes. The bytes stay in a closure, so that no log, error or JSON contains them.
import {
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign as signMessage,
} from 'node:crypto';
import type { Scheme } from '../../ports/signer.ts';

export interface KeySigner {
  publicKey(scheme: Scheme): Promise<Uint8Array>;
  derivedPublicKey(name: string): Uint8Array;
  sign(scheme: Scheme, message: Uint8Array, derived: string | null): Promise<Uint8Array>;
}

/** The prefix before the 32 bytes of an ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const RAW_KEY_BYTES = 32;

export function makeKeyMaterial(secret: Uint8Array): KeySigner {
  if (secret.length !== RAW_KEY_BYTES) throw new Error('a key has 32 bytes');
  const own = Buffer.from(secret);
  const derivedSecret = (name: string) =>
    Buffer.from(hkdfSync('sha256', own, 'sliproad deposit owner', name, RAW_KEY_BYTES));
  const hex = () => `0x${own.toString('hex')}` as const;
  return {
    publicKey: async (scheme) => {
      if (scheme === 'ed25519') return rawPublicKey(ed25519Key(own));
      const { privateKeyToAccount } = await import('viem/accounts');
      return Buffer.from(privateKeyToAccount(hex()).publicKey.slice(2), 'hex');
    },
    derivedPublicKey: (name) => rawPublicKey(ed25519Key(derivedSecret(name))),
    sign: async (scheme, message, derived) => {
      if (scheme === 'ed25519')
        return signMessage(null, message, ed25519Key(derived === null ? own : derivedSecret(derived)));
      if (derived !== null) throw new Error('only ed25519 keys are derived');
      const { sign } = await import('viem/accounts');
      const { r, s, yParity } = await sign({
        hash: `0x${Buffer.from(message).toString('hex')}`,
        privateKey: hex(),
      });
      const word = (text: string) => Buffer.from(text.slice(2).padStart(64, '0'), 'hex');
      return Buffer.concat([word(r), word(s), Buffer.from([yParity!])]);
    },
  };
}

function ed25519Key(secret: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, secret]), format: 'der', type: 'pkcs8' });
}

function rawPublicKey(key: KeyObject): Uint8Array {
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return spki.subarray(spki.length - RAW_KEY_BYTES);
}
