// How credentials are made and judged. None of these keep anything: what is stored is the sign-in store's.

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Against null it takes as long as against a stored password, and answers false. */
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
  /** The time step a code belongs to, one step early or late included; undefined when it is another code. */
  stepOf(secret: Uint8Array, code: string, atMs: number): bigint | undefined;
}

/** Secrets that must be read again, at rest. `purpose`: what it is and whose; a secret is opened for that alone. */
export interface SecretBox {
  seal(secret: Uint8Array, purpose: string): string;
  unseal(sealed: string, purpose: string): Uint8Array;
  /** Whether it was sealed with an older key. */
  isOld(sealed: string): boolean;
  /** Equal for equal secrets, and reveals nothing of them. It stays the same when keys are added or dropped. */
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
  /** The new counter when the answer is right for the challenge and the key. */
  verifySignIn(
    answer: PasskeyAnswer,
    challenge: string,
    passkey: RegisteredPasskey,
  ): Promise<{ readonly signCount: number } | undefined>;
}
