// Stored second factors: TOTP secrets, passkeys and recovery codes. The statement that accepts one also uses it up.
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
  /** Refuse if the person already has a second factor, because they did not prove one in this session. */
  readonly onlyFirst: boolean;
  /** The recovery codes, stored with a person's first second factor in the same commit. */
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

  /** The confirmed secret, or the one being set up. */
  totpOf(personId: string, which: 'confirmed' | 'begun'): Promise<StoredTotp | undefined>;
  /** Stores a TOTP secret to be confirmed. The current one stays valid. */
  setTotp(personId: string, sealed: string, fingerprint: string): Promise<void>;
  /** Confirms the secret being set up, which replaces an older one. `step`: the time step of the code that proved it. */
  confirmTotp(
    personId: string,
    fingerprint: string,
    step: bigint,
    enrolment: Enrolment,
    doing: AuditStamp,
  ): Promise<EnrolmentOutcome>;
  /** Accepts a time step once. False: this step or a later one was accepted before, or the secret was replaced. */
  acceptTotpStep(personId: string, fingerprint: string, step: bigint): Promise<boolean>;

  useRecoveryCode(personId: string, hash: string, doing: AuditStamp): Promise<boolean>;
  setRecoveryCodes(personId: string, hashes: readonly string[], doing: AuditStamp): Promise<void>;

  passkey(credentialId: string): Promise<StoredPasskey | undefined>;
  passkeysOf(personId: string): Promise<readonly StoredPasskey[]>;
  addPasskey(passkey: NewPasskey, enrolment: Enrolment, doing: AuditStamp): Promise<EnrolmentOutcome>;
  /**
   * False: the counter did not increase, so the authenticator may have been copied. Authenticators without a counter
   * always report 0.
   */
  usePasskey(credentialId: string, signCount: number, atMs: number): Promise<boolean>;
  removePasskey(
    personId: string,
    credentialId: string,
    doing: AuditStamp,
  ): Promise<'removed' | 'not_found' | 'last_second_factor'>;
}
