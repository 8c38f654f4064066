// Finds sessions by their token, replaces their tokens, and lists and ends sessions.
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
  /** The token that the client must use from now on. Null if the token was not replaced. */
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

/** Finds the person of a live session, and does not mark the session as seen. */
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
 * Replaces the token of a session. If several requests arrive at the same time, one of them replaces the token. The other
 * requests may use the old token for a short time.
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

export function listSessions(deps: PeopleDeps, personId: string): Promise<readonly Session[]> {
  return deps.signIn.sessionsOf(personId, deps.clock.now(), SESSION_IDLE_MS);
}

export async function endSession(deps: PeopleDeps, personId: string, sessionId: string): Promise<boolean> {
  const atMs = deps.clock.now();
  const ended = await deps.signIn.endSession(personId, sessionId, atMs);
  if (ended) await recordSessionEnd(deps, personId, sessionId, atMs);
  return ended;
}

/** Ends all sessions and pending sign-ins of the person, except the session `exceptId`. */
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
