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
  /** The provider's own id of the person, which never changes. */
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
}

export interface IdentityProvider {
  /** The URL to send the browser to. Throws ProviderUnavailable. */
  begin(): Promise<ProviderAttempt & { readonly url: string }>;
  /**
   * `query`: the query of the URL that the browser returned with. Undefined: the response does not fit the attempt.
   * Throws ProviderUnavailable.
   */
  finish(query: URLSearchParams, attempt: ProviderAttempt): Promise<ProvidedIdentity | undefined>;
}

/**
 * The provider does not answer, or not according to OpenID Connect, or not to this client. The message is for the
 * operator and contains nothing from the provider's response.
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
  /** Takes the attempt once; it is deleted. */
  takeAttempt(keyHash: string, atMs: number): Promise<ProviderAttempt | undefined>;
  personOf(identity: Pick<ProvidedIdentity, 'issuer' | 'subject'>): Promise<string | undefined>;
  /** Binds a person to an identity and records it in the audit log in the same commit; false: one of them is already bound. */
  bind(
    identity: Pick<ProvidedIdentity, 'issuer' | 'subject'>,
    personId: string,
    atMs: number,
  ): Promise<boolean>;
}
