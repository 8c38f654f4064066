// A signer for tests: its keys are derived from their names, in memory, without limits.
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

/** The 32 secret bytes of a name, for tests that have to fund its wallet. */
export function memoryKey(name: string, seed = 'test'): Uint8Array {
  return createHash('sha256').update(`${seed} ${name}`).digest();
}
