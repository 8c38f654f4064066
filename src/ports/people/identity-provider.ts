// The operator's own identity provider (OpenID Connect). It stands in for the password and never for the second factor.

/** The values that must return unchanged from the provider. */
export interface ProviderAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Whom the provider vouches for. */
export interface ProvidedIdentity {
  readonly issuer: string;
  /** The provider's own name for the person, which never changes. */
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
}

export interface IdentityProvider {
  /** The URL to send the browser to. Throws ProviderUnavailable. */
  begin(): Promise<ProviderAttempt & { readonly url: string }>;
  /** `query`: of the address that the browser came back with. Undefined when the answer does not fit the attempt. Throws
   * ProviderUnavailable. */
  finish(query: URLSearchParams, attempt: ProviderAttempt): Promise<ProvidedIdentity | undefined>;
}

/** The provider does not answer, or not as OpenID Connect says, or not to this client. The message is for the operator and has
 * nothing of what the provider answered. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

export interface ProviderStore {
  addAttempt(
    keyHash: string,
    attempt: ProviderAttempt,
    times: { readonly atMs: number; readonly expiresAtMs: number },
  ): Promise<void>;
  /** Once: the attempt is gone afterwards. */
  takeAttempt(keyHash: string, atMs: number): Promise<ProviderAttempt | undefined>;
  personOf(identity: Pick<ProvidedIdentity, 'issuer' | 'subject'>): Promise<string | undefined>;
  /** Binds a person to an identity and records it in the audit log in the same commit; false: one of them is already bound. */
  bind(
    identity: Pick<ProvidedIdentity, 'issuer' | 'subject'>,
    personId: string,
    atMs: number,
  ): Promise<boolean>;
}
