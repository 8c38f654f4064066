// Decides which tries to sign in are counted together, and how many are checked. Strangers can lock an address but never its
// owner (threat 82). Tries are counted separately from a device that the owner used before, in a live session, and after a link
// in a mail.
import type { Person } from '../../ports/people/people.ts';
import type { TryLimits } from '../../ports/people/sign-in.ts';
import { hashToken, type PeopleDeps } from './people-deps.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const TRY_LIMITS: TryLimits = {
  most: 10,
  lockMs: [15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 24 * HOUR_MS],
  forgetMs: 24 * HOUR_MS,
};

export const emailTriesKey = (email: string): string => `email ${hashToken(email)}`;
export const deviceTriesKey = (device: string): string => `device ${hashToken(device)}`;
/** Names the counter for a person who followed a link in a mail. */
export const mailboxTriesKey = (personId: string): string => `mailbox ${personId}`;
export const sessionTriesKey = (sessionId: string): string => `session ${sessionId}`;

/** Each known device of an address has its own count of tries. All other devices share one count. */
export async function findTriesKey(deps: PeopleDeps, email: string, device: string | null): Promise<string> {
  const known = await deps.signIn.isKnownDevice(hashToken(device ?? ''), email, deps.clock.now());
  return known && device !== null ? deviceTriesKey(device) : emailTriesKey(email);
}

/** Counts a try before the service checks it. If the service may not check a try yet, returns the time from which it may. */
export function countTry(deps: PeopleDeps, key: string): Promise<number | null> {
  return deps.signIn.countTry(key, deps.clock.now(), TRY_LIMITS);
}

/** The operator ends the lock of a person who has proven their identity. */
export function unlockPerson(deps: PeopleDeps, person: Pick<Person, 'id' | 'email'>): Promise<void> {
  return deps.signIn.forgetTries([emailTriesKey(person.email), mailboxTriesKey(person.id)]);
}
