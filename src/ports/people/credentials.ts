// How credentials are created and checked. Nothing is stored here: the sign-in store stores credentials.

export interface Passwords {
  hash(password: string): Promise<string>;
  /** If `stored` is null, the check takes as long as with a stored password, and returns false. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

/** Too many password checks are queued. */
export class TooManyPasswordChecks extends Error {
  override readonly name = 'TooManyPasswordChecks';
}

export interface Totp {
  newSecret(): Uint8Array;
  /** The secret in base 32, as people type it. */
  secretText(secret: Uint8Array): string;
  /** The content of the QR code for an authenticator app. */
  uri(secret: Uint8Array, email: string): string;
  /** The time step of a code, which may be one step early or late; undefined if the code is wrong. */
  stepOf(secret: Uint8Array, code: string, atMs: number): bigint | undefined;
}

/**
 * Encrypts secrets that must be readable again. `purpose`: what the secret is and who owns it; the secret can be decrypted only
 * for that purpose.
 */
export interface SecretBox {
  seal(secret: Uint8Array, purpose: string): string;
  unseal(sealed: string, purpose: string): Uint8Array;
  /** Whether the secret was encrypted with an older key. */
  isOld(sealed: string): boolean;
  /**
   * The same text for equal secrets; it does not reveal the secret. The fingerprint does not change when encryption keys are
   * added or removed.
   */
  fingerprint(secret: Uint8Array): string;
}

export interface PasskeyAnswer {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface RegisteredPasskey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly signCount: number;
  readonly transports: readonly string[];
}

/** WebAuthn. The authenticator always verifies the person (PIN, finger, face); presence alone is not enough. */
export interface Passkeys {
  registrationOptions(person: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly existing: readonly string[];
  }): Promise<{ readonly challenge: string }>;
  verifyRegistration(answer: PasskeyAnswer, challenge: string): Promise<RegisteredPasskey | undefined>;
  signInOptions(allowed: readonly string[]): Promise<{ readonly challenge: string }>;
  /** Returns the new counter if the response is correct for the challenge and the key. */
  verifySignIn(
    answer: PasskeyAnswer,
    challenge: string,
    passkey: RegisteredPasskey,
  ): Promise<{ readonly signCount: number } | undefined>;
}
