// Makes, rolls and revokes secret keys. The key itself is returned once, to be shown once; only its hash is kept.

import { makeSecretKey, SECRET_KEY_RANDOM_BYTES, secretKeyHint } from '../../domain/catalogue/secret-keys.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { BackOffice, NewKey } from '../../ports/back-office.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import { hashSecretKey } from '../intake/authenticate.ts';

export interface BackOfficeDeps {
  readonly backOffice: BackOffice;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** Who is at the keyboard, for the audit log. */
  readonly actor: string;
}

export interface IssuedKey {
  readonly id: string;
  readonly secretKey: string;
}

/** Undefined when there is no such business. */
export async function issueKey(
  deps: BackOfficeDeps,
  businessId: string,
  mode: Mode,
): Promise<IssuedKey | undefined> {
  const businesses = await deps.backOffice.listBusinesses();
  if (!businesses.some((business) => business.id === businessId)) return undefined;
  const { record, secretKey } = draftKey(deps, businessId, mode);
  await deps.backOffice.addKey(record, { actor: deps.actor, atMs: deps.clock.now() });
  return { id: record.id, secretKey };
}

/** A new key for the same business and mode; the old one keeps working until the overlap ends. */
export async function rollKey(
  deps: BackOfficeDeps,
  oldKeyId: string,
  overlapMs: number,
): Promise<IssuedKey | undefined> {
  const old = (await deps.backOffice.listKeys()).find((key) => key.id === oldKeyId);
  if (old === undefined) return undefined;
  const { record, secretKey } = draftKey(deps, old.businessId, old.mode);
  const now = deps.clock.now();
  const rolled = await deps.backOffice.rollKey(oldKeyId, record, now + overlapMs, {
    actor: deps.actor,
    atMs: now,
  });
  return rolled ? { id: record.id, secretKey } : undefined;
}

export function revokeKey(deps: BackOfficeDeps, keyId: string): Promise<boolean> {
  return deps.backOffice.revokeKey(keyId, { actor: deps.actor, atMs: deps.clock.now() });
}

function draftKey(
  deps: BackOfficeDeps,
  businessId: string,
  mode: Mode,
): { record: NewKey; secretKey: string } {
  const secretKey = makeSecretKey(mode, deps.entropy.bytes(SECRET_KEY_RANDOM_BYTES));
  const id = makeId('key', deps.clock.now(), deps.entropy.bytes(ID_RANDOM_BYTES));
  const record = { id, businessId, mode, hash: hashSecretKey(secretKey), hint: secretKeyHint(secretKey) };
  return { record, secretKey };
}
