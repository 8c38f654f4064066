// Contains the dependencies and the limits of the use-cases about people.
import { createHash } from 'node:crypto';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../../domain/values/ids.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { Passkeys, Passwords, SecretBox, Totp } from '../../ports/people/credentials.ts';
import type { PeopleStore } from '../../ports/people/people.ts';
import type { SignInStore } from '../../ports/people/sign-in.ts';

export interface PeopleDeps {
  readonly signIn: SignInStore;
  readonly people: PeopleStore;
  readonly audit: AuditLog;
  readonly passwords: Passwords;
  readonly totp: Totp;
  readonly passkeys: Passkeys;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

export interface ClientOrigin {
  readonly address: string;
  readonly userAgent: string;
}

/**
 * The maximum time between the password and the second factor. The service checks at most five second factors in this time
 * (migrations/0009_people.sql).
 */
export const PENDING_SIGN_IN_MS = 10 * 60_000;
export const SESSION_IDLE_MS = 30 * 60_000;
export const SESSION_MAX_MS = 12 * 3_600_000;
export const SESSION_ROTATE_EVERY_MS = 15 * 60_000;

const TOKEN_BYTES = 32;

/** Makes a secret of 256 bits. The service stores only its hash. */
export function newToken({ entropy }: Pick<PeopleDeps, 'entropy'>): string {
  return Buffer.from(entropy.bytes(TOKEN_BYTES)).toString('base64url');
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function newPeopleId(
  { clock, entropy }: Pick<PeopleDeps, 'clock' | 'entropy'>,
  prefix: IdPrefix,
): string {
  return makeId(prefix, clock.now(), entropy.bytes(ID_RANDOM_BYTES));
}

export const totpPurpose = (personId: string): string => `totp ${personId}`;
