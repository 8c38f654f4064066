// Sessions: they are found by their token, rotated, listed and ended.
import type { PersonWithRoles } from '../../ports/people/people.ts';
import type { Session } from '../../ports/people/sessions.ts';
import {
  hashToken,
  newToken,
  type PeopleDeps,
  SESSION_IDLE_MS,
  SESSION_ROTATE_EVERY_MS,
} from './people-deps.ts';

export interface SignedInSession {
  readonly session: Session;
  readonly person: PersonWithRoles;
  /** The token to use from now on; null if it was not replaced. */
  readonly newToken: string | null;
}

export async function findSession(deps: PeopleDeps, token: string): Promise<SignedInSession | undefined> {
  const atMs = deps.clock.now();
  const tokenHash = hashToken(token);
  const found = await deps.signIn.session(tokenHash, atMs, SESSION_IDLE_MS);
  if (found === undefined) return undefined;
  const person = await deps.people.find(found.session.personId);
  if (person === undefined || person.disabledAtMs !== null) return undefined;
  return { session: found.session, person, newToken: await rotateToken(deps, found, tokenHash) };
}

/** Finds the person of a live session. The session is not marked as seen. */
export async function findLiveSession(
  deps: PeopleDeps,
  { id, personId }: Pick<Session, 'id' | 'personId'>,
): Promise<PersonWithRoles | undefined> {
  const live = await listSessions(deps, personId);
  if (!live.some((each) => each.id === id)) return undefined;
  const person = await deps.people.find(personId);
  return person?.disabledAtMs === null ? person : undefined;
}

/**
 * Rotates the token. If several requests arrive at the same time, one replaces the token; the others may use the old one for a
 * short time.
 */
async function rotateToken(
  deps: PeopleDeps,
  { session, rotatedAtMs }: { readonly session: Session; readonly rotatedAtMs: number },
  tokenHash: string,
): Promise<string | null> {
  const atMs = deps.clock.now();
  if (session.surface !== 'browser' || atMs - rotatedAtMs < SESSION_ROTATE_EVERY_MS) return null;
  const token = newToken(deps);
  return (await deps.signIn.rotate(session.id, tokenHash, hashToken(token), atMs)) ? token : null;
}

/** The live sessions of a person, the newest first. */
export function listSessions(deps: PeopleDeps, personId: string): Promise<readonly Session[]> {
  return deps.signIn.sessionsOf(personId, deps.clock.now(), SESSION_IDLE_MS);
}

export async function endSession(deps: PeopleDeps, personId: string, sessionId: string): Promise<boolean> {
  const atMs = deps.clock.now();
  const ended = await deps.signIn.endSession(personId, sessionId, atMs);
  if (ended) await recordSessionEnd(deps, personId, sessionId, atMs);
  return ended;
}

/** Ends all sessions of the person, except the one in `exceptId`. Pending sign-ins end, too. */
export async function endAllSessions(
  deps: PeopleDeps,
  personId: string,
  exceptId: string | null,
): Promise<number> {
  const atMs = deps.clock.now();
  const count = await deps.signIn.endSessions(personId, exceptId, atMs);
  if (count > 0) await recordSessionEnd(deps, personId, null, atMs, { count });
  return count;
}

function recordSessionEnd(
  deps: PeopleDeps,
  personId: string,
  sessionId: string | null,
  atMs: number,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return deps.audit.record({
    actor: personId,
    atMs,
    action: 'session.ended',
    subject: sessionId,
    businessId: null,
    detail,
  });
}
