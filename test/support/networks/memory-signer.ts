// A signer for tests. It derives its keys from their names in memory, and has no limits.
import { createHash } from 'node:crypto';
import { makeKeyMaterial } from '../../../src/adapters/signer/key-material.ts';
import type { Signer } from '../../../src/ports/signer.ts';

export function memorySigner(seed = 'test'): Signer {
  const keyOf = (name: string) => makeKeyMaterial(memoryKey(name, seed));
  return {
    publicKey: (key, scheme) => keyOf(key).publicKey(scheme),
    derivedPublicKey: (key, name) => keyOf(key).derivedPublicKey(name),
    sign: ({ key, scheme, message, derived }) => keyOf(key).sign(scheme, message, derived),
  };
}

/** Returns the 32 secret bytes for a name, for tests that must fund the wallet of this key. */
export function memoryKey(name: string, seed = 'test'): Uint8Array {
  return createHash('sha256').update(`${seed} ${name}`).digest();
}
