// Sessions: found by their token, rotated, listed and ended.
import type { PersonWithRoles } from '../../ports/people/people.ts';
import type { Session } from '../../ports/people/sessions.ts';
import { hashToken, IDLE_MS, newToken, type PeopleDeps, ROTATE_EVERY_MS } from './people-deps.ts';

export interface SignedIn {
  readonly session: Session;
  readonly person: PersonWithRoles;
  /** The token to use from now on, when it was replaced. */
  readonly newToken: string | null;
}

export async function findSession(deps: PeopleDeps, token: string): Promise<SignedIn | undefined> {
  const atMs = deps.clock.now();
  const tokenHash = hashToken(token);
  const found = await deps.signIn.session(tokenHash, atMs, IDLE_MS);
  if (found === undefined) return undefined;
  const person = await deps.people.find(found.session.personId);
  if (person === undefined || person.disabledAtMs !== null) return undefined;
  return { session: found.session, person, newToken: await rotated(deps, found, tokenHash) };
}

/** Whose session it is, while it lives; the session is not marked as seen. */
export async function findLiveSession(
  deps: PeopleDeps,
  { id, personId }: Pick<Session, 'id' | 'personId'>,
): Promise<PersonWithRoles | undefined> {
  const live = await listSessions(deps, personId);
  if (!live.some((each) => each.id === id)) return undefined;
  const person = await deps.people.find(personId);
  return person?.disabledAtMs === null ? person : undefined;
}

/** Rotates the token. Of several requests at once, one replaces it; the others use the old one for a moment. */
async function rotated(
  deps: PeopleDeps,
  { session, rotatedAtMs }: { readonly session: Session; readonly rotatedAtMs: number },
  tokenHash: string,
): Promise<string | null> {
  const atMs = deps.clock.now();
  if (session.surface !== 'browser' || atMs - rotatedAtMs < ROTATE_EVERY_MS) return null;
  const token = newToken(deps);
  return (await deps.signIn.rotate(session.id, tokenHash, hashToken(token), atMs)) ? token : null;
}

/** The live sessions of a person, the newest first. */
export function listSessions(deps: PeopleDeps, personId: string): Promise<readonly Session[]> {
  return deps.signIn.sessionsOf(personId, deps.clock.now(), IDLE_MS);
}

export async function endSession(deps: PeopleDeps, personId: string, sessionId: string): Promise<boolean> {
  const atMs = deps.clock.now();
  const ended = await deps.signIn.endSession(personId, sessionId, atMs);
  if (ended) await recordEnd(deps, personId, sessionId, atMs);
  return ended;
}

/** Signs out everywhere, here included unless this session is named. Pending sign-ins end, too. */
export async function endAllSessions(
  deps: PeopleDeps,
  personId: string,
  exceptId: string | null,
): Promise<number> {
  const atMs = deps.clock.now();
  const count = await deps.signIn.endSessions(personId, exceptId, atMs);
  if (count > 0) await recordEnd(deps, personId, null, atMs, { count });
  return count;
}

function recordEnd(
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
