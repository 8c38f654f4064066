// Lock-out: which tries count together, and how many are judged. Strangers can lock an address and never its owner: a device
// that the owner signed in from counts apart, as do live sessions and links sent to the mailbox (threat 82).
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

/** Known devices of an address count for themselves, all others together. */
export async function findTriesKey(deps: PeopleDeps, email: string, device: string | null): Promise<string> {
  const known = await deps.signIn.isKnownDevice(hashToken(device ?? ''), email, deps.clock.now());
  return known && device !== null ? deviceTriesKey(device) : emailTriesKey(email);
}

/** Counts a try before it is judged. A time: it must not be judged, and none before then. */
export function countTry(deps: PeopleDeps, key: string): Promise<number | null> {
  return deps.signIn.countTry(key, deps.clock.now(), TRY_LIMITS);
}

/** The operator ends the lock of a person who proved who they are. */
export function unlockPerson(deps: PeopleDeps, person: Pick<Person, 'id' | 'email'>): Promise<void> {
  return deps.signIn.forgetTries([emailTriesKey(person.email), mailboxTriesKey(person.id)]);
}
