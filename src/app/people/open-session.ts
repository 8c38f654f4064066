// Opens a pending sign-in first, which is not a session. After the second factor, it opens the session. Both have a new secret
// token (threat 81).
import type { Session, Surface } from '../../ports/people/sessions.ts';
import type { PendingSignIn } from '../../ports/people/sign-in.ts';
import type { SecondFactor } from './accept-second-factor.ts';
import { deviceTriesKey, mailboxTriesKey } from './lock-out.ts';
import {
  type ClientOrigin,
  hashToken,
  newPeopleId,
  newToken,
  PENDING_SIGN_IN_MS,
  type PeopleDeps,
  SESSION_MAX_MS,
} from './people-deps.ts';

/** Returns the token. Returns undefined if the password was changed meanwhile, or if the person is disabled. */
export async function openPendingSignIn(
  deps: PeopleDeps,
  personId: string,
  triesKey: string,
  stored: string | null,
): Promise<string | undefined> {
  const token = newToken(deps);
  const atMs = deps.clock.now();
  const pending = {
    tokenHash: hashToken(token),
    personId,
    triesKey,
    atMs,
    expiresAtMs: atMs + PENDING_SIGN_IN_MS,
  };
  return (await deps.signIn.addPending(pending, stored)) ? token : undefined;
}

/**
 * Opens a pending sign-in for a person who followed a link in a mail. Tries that strangers made with the address do not count.
 */
export function openPendingSignInByMail(deps: PeopleDeps, personId: string): Promise<string | undefined> {
  return openPendingSignIn(deps, personId, mailboxTriesKey(personId), null);
}

export interface OpenedSession {
  /** The token is shown once, and only its hash is stored. */
  readonly token: string;
  readonly session: Session;
  /** The device keeps this token and sends it at the next sign-in (see lock-out.ts). The token gives no access. */
  readonly device: string;
}

/** The kind of client, as the client itself states it. */
export interface ClientFacts extends ClientOrigin {
  readonly surface: Surface;
  /** The device token of an earlier sign-in. Null if the device sent none. */
  readonly device: string | null;
}

/** Returns undefined if another request used the pending sign-in, or if the pending sign-in ended meanwhile. */
export async function openSession(
  deps: PeopleDeps,
  pending: PendingSignIn & { readonly tokenHash: string },
  { surface, address, userAgent, device: given }: ClientFacts,
  factor: SecondFactor['kind'],
): Promise<OpenedSession | undefined> {
  const token = newToken(deps);
  const atMs = deps.clock.now();
  const { personId } = pending;
  const session = {
    id: newPeopleId(deps, 'ses'),
    personId,
    surface,
    address,
    userAgent: userAgent.slice(0, 200),
    createdAtMs: atMs,
    expiresAtMs: atMs + SESSION_MAX_MS,
  };
  const opened = await deps.signIn.openSession(
    { ...session, tokenHash: hashToken(token) },
    pending.tokenHash,
  );
  if (!opened) return undefined;
  await deps.audit.record({
    actor: personId,
    atMs,
    action: 'session.opened',
    subject: session.id,
    businessId: null,
    detail: { surface, address, factor },
  });
  return { token, session: { ...session, seenAtMs: atMs }, device: await remember(deps, pending, given) };
}

/**
 * A correct sign-in resets the count of wrong tries. If the device token does not belong to this person, it is replaced,
 * because another person may have put it on this device.
 */
async function remember(
  deps: PeopleDeps,
  { personId, triesKey }: PendingSignIn,
  given: string | null,
): Promise<string> {
  await deps.signIn.forgetTries([triesKey]);
  const device = given !== null && triesKey === deviceTriesKey(given) ? given : newToken(deps);
  await deps.signIn.rememberDevice(hashToken(device), personId, deps.clock.now());
  return device;
}
