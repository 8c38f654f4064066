// Creates, replaces and revokes secret keys. The service shows the key only once and stores only its hash.
import {
  KEY_NAME_MAX,
  makeSecretKey,
  SECRET_KEY_RANDOM_BYTES,
  secretKeyHint,
  UNNAMED_FULL_KEY,
} from '../../domain/catalogue/secret-keys.ts';
import { ID_RANDOM_BYTES, makeId } from '../../domain/values/ids.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { Refusal } from '../../domain/values/refusals.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { BackOffice, KeyFacts, NewApiKey } from '../../ports/back-office.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import { checkText, FieldErrors } from '../input/field-rules.ts';
import { hashSecretKey } from '../intake/authenticate.ts';

export interface BackOfficeDeps {
  readonly backOffice: BackOffice;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly actor: string;
}

export interface IssuedKey {
  readonly id: string;
  readonly secretKey: string;
}

/** An empty text means that the key has no name. */
export function checkKeyName(text: string): Result<string, Refusal> {
  if (text.trim() === '') return ok('');
  const errors = new FieldErrors();
  const name = checkText(errors, 'name', text, KEY_NAME_MAX);
  const refused = errors.refusal();
  return refused === undefined ? ok(name!) : fail(refused);
}

/** Returns undefined if the business does not exist. */
export async function issueKey(
  deps: BackOfficeDeps,
  businessId: string,
  mode: Mode,
  facts: KeyFacts = UNNAMED_FULL_KEY,
): Promise<IssuedKey | undefined> {
  const businesses = await deps.backOffice.listBusinesses();
  if (!businesses.some((business) => business.id === businessId)) return undefined;
  const { record, secretKey } = draftKey(deps, businessId, mode, facts);
  await deps.backOffice.addKey(record, { actor: deps.actor, atMs: deps.clock.now() });
  return { id: record.id, secretKey };
}

/**
 * Creates a new key for the same business and mode, with the same name and scope. The old key keeps working until the overlap
 * ends.
 */
export async function rollKey(
  deps: BackOfficeDeps,
  oldKeyId: string,
  overlapMs: number,
): Promise<IssuedKey | undefined> {
  const old = (await deps.backOffice.listKeys()).find((key) => key.id === oldKeyId);
  if (old === undefined) return undefined;
  const { record, secretKey } = draftKey(deps, old.businessId, old.mode, old);
  const now = deps.clock.now();
  const rolled = await deps.backOffice.rollKey(oldKeyId, record, now + overlapMs, {
    actor: deps.actor,
    atMs: now,
  });
  return rolled ? { id: record.id, secretKey } : undefined;
}

/** Returns false if the key does not exist. */
export function renameKey(deps: BackOfficeDeps, keyId: string, name: string): Promise<boolean> {
  return deps.backOffice.renameKey(keyId, name, { actor: deps.actor, atMs: deps.clock.now() });
}

export function revokeKey(deps: BackOfficeDeps, keyId: string): Promise<boolean> {
  return deps.backOffice.revokeKey(keyId, { actor: deps.actor, atMs: deps.clock.now() });
}

function draftKey(
  deps: BackOfficeDeps,
  businessId: string,
  mode: Mode,
  { name, scope }: KeyFacts,
): { record: NewApiKey; secretKey: string } {
  const secretKey = makeSecretKey(mode, deps.entropy.bytes(SECRET_KEY_RANDOM_BYTES));
  const id = makeId('key', deps.clock.now(), deps.entropy.bytes(ID_RANDOM_BYTES));
  const [hash, hint] = [hashSecretKey(secretKey), secretKeyHint(secretKey)];
  return { record: { id, businessId, mode, hash, hint, name, scope }, secretKey };
}
