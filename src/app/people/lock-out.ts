// Lock-out: which tries are counted together, and how many are checked. Strangers can lock an address but never its owner: tries
// from a device that the owner signed in from are counted separately, as are live sessions and links sent to the mailbox (threat
// 82).
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
/** The counter of a person who followed a link sent to their mailbox. */
export const mailboxTriesKey = (personId: string): string => `mailbox ${personId}`;
export const sessionTriesKey = (sessionId: string): string => `session ${sessionId}`;

/** Each known device of an address has its own count; all other devices share one count. */
export async function findTriesKey(deps: PeopleDeps, email: string, device: string | null): Promise<string> {
  const known = await deps.signIn.isKnownDevice(hashToken(device ?? ''), email, deps.clock.now());
  return known && device !== null ? deviceTriesKey(device) : emailTriesKey(email);
}

/** Counts a try before it is checked. Returns a time if no try may be checked before that time. */
export function countTry(deps: PeopleDeps, key: string): Promise<number | null> {
  return deps.signIn.countTry(key, deps.clock.now(), TRY_LIMITS);
}

/** The operator ends the lock of a person who has proven their identity. */
export function unlockPerson(deps: PeopleDeps, person: Pick<Person, 'id' | 'email'>): Promise<void> {
  return deps.signIn.forgetTries([emailTriesKey(person.email), mailboxTriesKey(person.id)]);
}
