// Signs people of the operator in through an identity provider, which replaces the password. It opens a pending sign-in, and
// the second factor is still required. A person must be invited first. The service finds the person the first time by an
// address that the provider verified, and later by the provider's id for the person.
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

export const PROVIDER_SIGN_IN_MS = 10 * 60_000;

/** The service stores `key` in a cookie, so that the return from the provider must come from the same browser. */
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
  /** The sign-in attempt came from another browser, was too late, or was already used. */
  | { readonly code: 'attempt_ended' }
  /** The provider did not confirm the person, or this installation has no such person of the operator. */
  | { readonly code: 'sign_in_failed' }
  /**
   * The person has no second factor yet. The first one is set up after a sign-in with the password. After a reset, only the
   * mailed link leads to a new second factor.
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
  // The service reads the second factors after it stored the pending sign-in. So it sees the effect of an earlier reset, and a
  // later reset ends the pending sign-in.
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
  // Meanwhile the same person has bound this identity in another window, or the person is bound to another identity.
  return providerStore.personOf(identity);
}
