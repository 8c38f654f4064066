// How credentials are made and checked. Nothing is stored here: the sign-in store does that.

export interface Passwords {
  hash(password: string): Promise<string>;
  /** With null it takes as long as with a stored password, and returns false. */
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
  /** The content of the QR code for an authenticator application. */
  uri(secret: Uint8Array, email: string): string;
  /** The time step of a code, at most one step early or late; undefined: the code is wrong. */
  stepOf(secret: Uint8Array, code: string, atMs: number): bigint | undefined;
}

/**
 * Encrypts secrets that must be readable again. `purpose`: what the secret is and whose; it can be decrypted only for
 * that purpose.
 */
export interface SecretBox {
  seal(secret: Uint8Array, purpose: string): string;
  unseal(sealed: string, purpose: string): Uint8Array;
  /** Whether it was encrypted with an older key. */
  isOld(sealed: string): boolean;
  /** Equal for equal secrets, without revealing them. It does not change when keys are added or removed. */
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

/** WebAuthn. The person is always verified by the authenticator (PIN, finger, face), not merely present. */
export interface Passkeys {
  registrationOptions(person: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly existing: readonly string[];
  }): Promise<{ readonly challenge: string }>;
  verifyRegistration(answer: PasskeyAnswer, challenge: string): Promise<RegisteredPasskey | undefined>;
  signInOptions(allowed: readonly string[]): Promise<{ readonly challenge: string }>;
  /** The new counter, if the response is correct for the challenge and the key. */
  verifySignIn(
    answer: PasskeyAnswer,
    challenge: string,
    passkey: RegisteredPasskey,
  ): Promise<{ readonly signCount: number } | undefined>;
}
