// Stores second factors: TOTP secrets, passkeys and recovery codes. One statement accepts a proof and marks it as used.
import type { AuditStamp } from '../back-office.ts';

export interface SecondFactors {
  readonly totp: boolean;
  readonly passkeys: readonly string[];
  readonly recoveryCodesLeft: number;
}

export interface StoredTotp {
  readonly sealed: string;
  readonly fingerprint: string;
}

export interface NewPasskey {
  readonly credentialId: string;
  readonly personId: string;
  readonly publicKey: Uint8Array;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
}

export interface StoredPasskey extends NewPasskey {
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
}

export interface Enrolment {
  /**
   * If true, the store refuses a person who already has a second factor, because the person did not prove that factor in this
   * session.
   */
  readonly onlyFirst: boolean;
  /** The hashes of the recovery codes. They are stored in the same commit as the person's first second factor. */
  readonly recoveryHashes: readonly string[];
}

export type EnrolmentOutcome =
  | 'enrolled_first'
  | 'enrolled'
  | 'belongs_to_another'
  | 'has_second_factor'
  | 'not_found';

export interface SecondFactorStore {
  secondFactorsOf(personId: string): Promise<SecondFactors>;

  /** Returns the confirmed TOTP secret of a person, or the secret that the person is setting up. */
  totpOf(personId: string, which: 'confirmed' | 'begun'): Promise<StoredTotp | undefined>;
  /** Stores a TOTP secret that the person must still confirm. The current secret stays valid until then. */
  setTotp(personId: string, sealed: string, fingerprint: string): Promise<void>;
  /**
   * Confirms the TOTP secret that the person is setting up. It replaces the older secret. `step`: the time step of the code
   * that proved the secret.
   */
  confirmTotp(
    personId: string,
    fingerprint: string,
    step: bigint,
    enrolment: Enrolment,
    doing: AuditStamp,
  ): Promise<EnrolmentOutcome>;
  /**
   * Accepts each time step of a TOTP secret once. The result is false if this step or a later step was accepted before, or if
   * the secret was replaced.
   */
  acceptTotpStep(personId: string, fingerprint: string, step: bigint): Promise<boolean>;

  useRecoveryCode(personId: string, hash: string, doing: AuditStamp): Promise<boolean>;
  setRecoveryCodes(personId: string, hashes: readonly string[], doing: AuditStamp): Promise<void>;

  passkey(credentialId: string): Promise<StoredPasskey | undefined>;
  passkeysOf(personId: string): Promise<readonly StoredPasskey[]>;
  addPasskey(passkey: NewPasskey, enrolment: Enrolment, doing: AuditStamp): Promise<EnrolmentOutcome>;
  /**
   * Records a use of the passkey. The result is false if the counter did not increase, because the authenticator may have been
   * copied. Authenticators without a counter always report 0.
   */
  usePasskey(credentialId: string, signCount: number, atMs: number): Promise<boolean>;
  removePasskey(
    personId: string,
    credentialId: string,
    doing: AuditStamp,
  ): Promise<'removed' | 'not_found' | 'last_second_factor'>;
}
