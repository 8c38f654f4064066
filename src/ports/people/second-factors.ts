// Second factors as stored: TOTP secrets, passkeys and recovery codes. Each is used up in the statement that accepts it.
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
  /** Refused when the person has a second factor: this person has given no second factor yet. */
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

  /** The one that counts, or the one that is being set up. */
  totpOf(personId: string, which: 'confirmed' | 'begun'): Promise<StoredTotp | undefined>;
  /** Stores a TOTP secret to be confirmed. The current one stays valid. */
  setTotp(personId: string, sealed: string, fingerprint: string): Promise<void>;
  /** Lets the one that is being set up count, in place of an older one. `step`: of the code that proved it. */
  confirmTotp(
    personId: string,
    fingerprint: string,
    step: bigint,
    enrolment: Enrolment,
    doing: AuditStamp,
  ): Promise<EnrolmentOutcome>;
  /** Accepts a time step once: false when it, or a later one, was accepted before, or the secret was replaced. */
  acceptTotpStep(personId: string, fingerprint: string, step: bigint): Promise<boolean>;

  useRecoveryCode(personId: string, hash: string, doing: AuditStamp): Promise<boolean>;
  setRecoveryCodes(personId: string, hashes: readonly string[], doing: AuditStamp): Promise<void>;

  passkey(credentialId: string): Promise<StoredPasskey | undefined>;
  passkeysOf(personId: string): Promise<readonly StoredPasskey[]>;
  addPasskey(passkey: NewPasskey, enrolment: Enrolment, doing: AuditStamp): Promise<EnrolmentOutcome>;
  /** False when the counter did not go on: the authenticator may have been copied. Those that do not count always say 0. */
  usePasskey(credentialId: string, signCount: number, atMs: number): Promise<boolean>;
  removePasskey(
    personId: string,
    credentialId: string,
    doing: AuditStamp,
  ): Promise<'removed' | 'not_found' | 'last_second_factor'>;
}
