// Finds the key of a request. The database stores only hashes of keys. Malformed, unknown, revoked and expired keys all get the
// same response.
import { hash } from 'node:crypto';
import { isWellFormedSecretKey } from '../../domain/catalogue/secret-keys.ts';
import type { Catalogue, CatalogueSnapshot } from '../../ports/catalogue.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Caller } from '../input/caller.ts';

/**
 * The memory may not contain a new key yet, so the service looks up an unknown key in the database. This is the shortest time
 * between two such look-ups.
 */
const LOOK_AGAIN_EVERY_MS = 100;

export function hashSecretKey(secretKey: string): string {
  return hash('sha256', secretKey, 'base64url');
}

export interface Authenticator {
  /**
   * Returns the caller, or undefined if the key is not valid. Returns a promise only if the service must query the database.
   */
  authenticate(secretKey: string): Caller | undefined | Promise<Caller | undefined>;
}

export function makeAuthenticator(deps: {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}): Authenticator {
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  const find = (snapshot: CatalogueSnapshot, keyHash: string): Caller | undefined => {
    const key = snapshot.keysByHash.get(keyHash);
    if (key === undefined) return undefined;
    if (key.expiresAtMs !== null && deps.clock.now() >= key.expiresAtMs) return undefined;
    return { key, catalogue: snapshot };
  };
  const ask = async (keyHash: string) => find(await deps.catalogue.refresh(), keyHash);

  return {
    authenticate: (secretKey) => {
      const keyHash = hashSecretKey(secretKey);
      const snapshot = deps.catalogue.current();
      const caller = snapshot === undefined ? undefined : find(snapshot, keyHash);
      if (caller !== undefined) return caller;
      if (!isWellFormedSecretKey(secretKey)) return undefined;
      if (snapshot === undefined) return ask(keyHash);
      const now = deps.clock.now();
      if (now - lookedAtMs < LOOK_AGAIN_EVERY_MS) return undefined;
      lookedAtMs = now;
      return ask(keyHash);
    },
  };
}
