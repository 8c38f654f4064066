// Decides which signatures of a transaction count for which account. A transaction with an unneeded signature is refused, as on
// the real network.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { StrKey, type xdr } from '@stellar/stellar-sdk';
import type { AccountEntry } from './state.ts';

/** The bytes before a raw ed25519 key in its DER encoding. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

function publicKey(raw: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.concat([DER_PREFIX, raw]), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function signersOf(account: AccountEntry): [string, number][] {
  const signers: [string, number][] = [...account.signers];
  if (account.masterWeight > 0) signers.push([account.id, account.masterWeight]);
  return signers;
}

export class SignatureCheck {
  readonly #hash: Uint8Array;
  readonly #signatures: readonly xdr.DecoratedSignature[];
  readonly #used: Set<number> = new Set();
  /** A cache, because a batch checks the same signature up to 100 times. */
  readonly #verified = new Map<string, boolean>();

  constructor(hash: Uint8Array, signatures: readonly xdr.DecoratedSignature[]) {
    this.#hash = hash;
    this.#signatures = signatures;
  }

  account(account: AccountEntry, neededWeight: number): boolean {
    return this.#reaches(signersOf(account), neededWeight);
  }

  /** For an operation whose source account does not exist yet. The key of that account must have signed. */
  missingAccount(id: string): boolean {
    return this.#reaches([[id, 1]], 0);
  }

  allUsed(): boolean {
    return this.#used.size === this.#signatures.length;
  }

  #reaches(signers: [string, number][], neededWeight: number): boolean {
    let weight = 0;
    const left = new Map(signers);
    for (let at = 0; at < this.#signatures.length; at++) {
      for (const [key, keyWeight] of left) {
        if (!this.#verifies(at, key)) continue;
        this.#used.add(at);
        left.delete(key);
        weight += Math.min(keyWeight, 255);
        if (weight >= neededWeight) return true;
        break;
      }
    }
    return false;
  }

  #verifies(at: number, key: string): boolean {
    const question = `${at} ${key}`;
    const known = this.#verified.get(question);
    if (known !== undefined) return known;
    const signature = this.#signatures[at]!;
    const raw = StrKey.decodeEd25519PublicKey(key);
    let valid = false;
    if (Buffer.compare(raw.subarray(28), signature.hint.toBytes()) === 0) {
      const verifier = publicKey(raw);
      valid = verifier !== undefined && verify(null, this.#hash, verifier, signature.signature.toBytes());
    }
    this.#verified.set(question, valid);
    return valid;
  }
}
