// How credentials are created and checked. The sign-in store stores them.

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Checks a password. If `stored` is null, the check takes as long as with a stored password and returns false. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

export class TooManyPasswordChecks extends Error {
  override readonly name = 'TooManyPasswordChecks';
}

export interface Totp {
  newSecret(): Uint8Array;
  /** Returns the secret in base 32, as people type it. */
  secretText(secret: Uint8Array): string;
  /** Returns the content of the QR code for an authenticator app. */
  uri(secret: Uint8Array, email: string): string;
  /** Returns the time step of a code; undefined if the code is wrong. A code may be one step early or late. */
  stepOf(secret: Uint8Array, code: string, atMs: number): bigint | undefined;
}

/**
 * Encrypts secrets that the service must read again. `purpose` says what the secret is and who owns it. A secret can be
 * decrypted only for the same purpose.
 */
export interface SecretBox {
  seal(secret: Uint8Array, purpose: string): string;
  unseal(sealed: string, purpose: string): Uint8Array;
  isOld(sealed: string): boolean;
  /**
   * Returns a text that is the same for identical secrets and does not reveal the secret. The text does not change when
   * encryption keys are added or removed.
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

/**
 * Second factors with WebAuthn. The authenticator always verifies the person (PIN, finger, face); presence alone is not enough.
 */
export interface Passkeys {
  registrationOptions(person: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly existing: readonly string[];
  }): Promise<{ readonly challenge: string }>;
  verifyRegistration(answer: PasskeyAnswer, challenge: string): Promise<RegisteredPasskey | undefined>;
  signInOptions(allowed: readonly string[]): Promise<{ readonly challenge: string }>;
  /** Returns the new counter of the authenticator, if its response is correct for the challenge and the key. */
  verifySignIn(
    answer: PasskeyAnswer,
    challenge: string,
    passkey: RegisteredPasskey,
  ): Promise<{ readonly signCount: number } | undefined>;
}
