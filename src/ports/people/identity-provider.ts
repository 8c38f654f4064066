// The operator's own identity provider (OpenID Connect). It replaces the password, but never the second factor.

/** The values that the identity provider must return unchanged. */
export interface ProviderAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface ProvidedIdentity {
  readonly issuer: string;
  /** The id that the identity provider gave the person. It never changes. */
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
}

export interface IdentityProvider {
  /** Returns the URL to which the service sends the browser. It throws ProviderUnavailable. */
  begin(): Promise<ProviderAttempt & { readonly url: string }>;
  /**
   * Returns the identity that the provider confirms. `query` is the query of the URL with which the browser returned. Undefined
   * if the response does not belong to the attempt. It throws ProviderUnavailable.
   */
  finish(query: URLSearchParams, attempt: ProviderAttempt): Promise<ProvidedIdentity | undefined>;
}

/**
 * The identity provider does not respond, violates OpenID Connect, or refuses this client. The message is for the operator and
 * contains nothing from the provider's response.
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
  /** Returns the sign-in attempt and deletes it, so that it is used only once. */
  takeAttempt(keyHash: string, atMs: number): Promise<ProviderAttempt | undefined>;
  personOf(identity: Pick<ProvidedIdentity, 'issuer' | 'subject'>): Promise<string | undefined>;
  /**
   * Binds a person to an identity and records this in the audit log, in the same commit. The result is false if the person or
   * the identity is already bound.
   */
  bind(
    identity: Pick<ProvidedIdentity, 'issuer' | 'subject'>,
    personId: string,
    atMs: number,
  ): Promise<boolean>;
}
