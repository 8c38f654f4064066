// Signing in through the operator's identity provider. The identity provider replaces the password: it opens a pending sign-in,
// and the second factor is still required. Only people of the operator can use it, and only after an invitation. The first time,
// they are found by an address that the provider has verified; later, by the provider's id for them.
import { normaliseEmail } from '../../domain/people/names.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type {
  IdentityProvider,
  ProvidedIdentity,
  ProviderStore,
} from '../../ports/people/identity-provider.ts';
import type { PersonWithRoles } from '../../ports/people/people.ts';
import { openPendingSignInByMail } from './open-session.ts';
import { hashToken, newToken, type PeopleDeps } from './people-deps.ts';
import type { OpenedPendingSignIn } from './sign-in.ts';

export interface ProviderDeps extends PeopleDeps {
  readonly provider: IdentityProvider;
  readonly providerStore: ProviderStore;
}

/** The time limit between the redirect to the provider and the return. */
export const PROVIDER_SIGN_IN_MS = 10 * 60_000;

/** `key` is stored in a cookie, so that the same browser must return from the provider. */
export async function beginProviderSignIn(
  deps: ProviderDeps,
): Promise<{ readonly url: string; readonly key: string }> {
  const { url, ...attempt } = await deps.provider.begin();
  const key = newToken(deps);
  const atMs = deps.clock.now();
  await deps.providerStore.addAttempt(hashToken(key), attempt, {
    atMs,
    expiresAtMs: atMs + PROVIDER_SIGN_IN_MS,
  });
  return { url, key };
}

export type ProviderRefusal =
  /** The attempt came from another browser, was too late, or was already used. */
  | { readonly code: 'attempt_ended' }
  /** The provider did not confirm the person, or this installation has no such operator. */
  | { readonly code: 'sign_in_failed' }
  /**
   * The first second factor is set up after a sign-in with the password. After a reset, only the mailed link leads to a new
   * second factor.
   */
  | { readonly code: 'second_factor_missing' };

export async function finishProviderSignIn(
  deps: ProviderDeps,
  { key, query }: { readonly key: string; readonly query: URLSearchParams },
): Promise<Result<OpenedPendingSignIn, ProviderRefusal>> {
  const attempt = await deps.providerStore.takeAttempt(hashToken(key), deps.clock.now());
  if (attempt === undefined) return fail({ code: 'attempt_ended' });
  const identity = await deps.provider.finish(query, attempt);
  const person = identity && (await findOperatorByIdentity(deps, identity));
  if (person === undefined) return fail({ code: 'sign_in_failed' });
  const token = await openPendingSignInByMail(deps, person.id);
  if (token === undefined) return fail({ code: 'sign_in_failed' });
  // Read after the pending sign-in is stored. So a reset before that is visible here, and a reset after that ends the pending
  // sign-in.
  const factors = await deps.signIn.secondFactorsOf(person.id);
  const hasFactor = factors.totp || factors.passkeys.length > 0;
  return hasFactor ? ok({ token, factors }) : fail({ code: 'second_factor_missing' });
}

async function findOperatorByIdentity(
  deps: ProviderDeps,
  identity: ProvidedIdentity,
): Promise<PersonWithRoles | undefined> {
  const id = (await deps.providerStore.personOf(identity)) ?? (await bindByEmail(deps, identity));
  const person = id === undefined ? undefined : await deps.people.find(id);
  return person?.operatorRole == null || person.disabledAtMs !== null ? undefined : person;
}

async function bindByEmail(
  { people, providerStore, clock }: ProviderDeps,
  identity: ProvidedIdentity,
): Promise<string | undefined> {
  const email =
    identity.emailVerified && identity.email !== null ? normaliseEmail(identity.email) : undefined;
  const person = email === undefined ? undefined : await people.findByEmail(email);
  if (person?.operatorRole == null || person.disabledAtMs !== null) return undefined;
  if (await providerStore.bind(identity, person.id, clock.now())) return person.id;
  // Meanwhile, the same person has bound the identity in another window, or the person is bound to another identity.
  return providerStore.personOf(identity);
}
