// The operator's own identity provider (OpenID Connect). It replaces the password, but never the second factor.

/** The values that the provider must return unchanged. */
export interface ProviderAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The identity that the provider confirms. */
export interface ProvidedIdentity {
  readonly issuer: string;
  /** The provider's own id for the person, which never changes. */
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
}

export interface IdentityProvider {
  /** The URL to send the browser to. Throws ProviderUnavailable. */
  begin(): Promise<ProviderAttempt & { readonly url: string }>;
  /**
   * `query`: the query part of the URL with which the browser returned. Undefined if the response does not belong to the attempt.
   * Throws ProviderUnavailable.
   */
  finish(query: URLSearchParams, attempt: ProviderAttempt): Promise<ProvidedIdentity | undefined>;
}

/**
 * The provider does not respond, violates OpenID Connect, or refuses this client. The message is for the operator and contains
 * nothing from the provider's response.
 */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

export interface ProviderStore {
  addAttempt(
    keyHash: string,
    attempt: ProviderAttempt,
    times: { readonly atMs: number; readonly expiresAtMs: number },
  ): Promise<void>;
  /** Returns the attempt and deletes it, so that it is used once. */
  takeAttempt(keyHash: string, atMs: number): Promise<ProviderAttempt | undefined>;
  personOf(identity: Pick<ProvidedIdentity, 'issuer' | 'subject'>): Promise<string | undefined>;
  /**
   * Binds a person to an identity and records this in the audit log in the same commit; false if one of them is already bound.
   */
  bind(
    identity: Pick<ProvidedIdentity, 'issuer' | 'subject'>,
    personId: string,
    atMs: number,
  ): Promise<boolean>;
}
