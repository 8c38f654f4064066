// What signing in needs of the database. Guesses are counted before they are judged, in one statement each, so that any
// number of them at once are judged no more often than one after the other.
import type { StepUp } from '../../domain/people/step-up.ts';
import type { Person } from './people.ts';

export type Surface = 'browser' | 'command_line';

export interface SecondFactors {
  readonly totp: boolean;
  readonly passkeys: readonly string[];
  readonly recoveryCodesLeft: number;
}

/** A pending sign-in: the password was right, the second factor is still to come. */
export interface PendingSignIn {
  readonly personId: string;
  readonly challenge: string | null;
}

export interface Session {
  readonly id: string;
  readonly personId: string;
  readonly surface: Surface;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
}

export interface NewSession extends Omit<Session, 'seenAtMs'> {
  readonly tokenHash: string;
}

export interface StoredPasskey {
  readonly credentialId: string;
  readonly personId: string;
  readonly publicKey: Uint8Array;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
}

export interface SignInStore {
  /** Counts a try for an address, known or not, before it is judged; answers until when no more are judged. */
  countTry(
    email: string,
    atMs: number,
    limits: { readonly most: number; readonly lockMs: number },
  ): Promise<number | null>;
  /** A right sign-in ends the row of failures. */
  forgetTries(email: string): Promise<void>;
  passwordOf(email: string): Promise<{ readonly person: Person; readonly stored: string } | undefined>;
  /** Ends all sessions and pending sign-ins of the person, but for the one named. */
  setPassword(personId: string, stored: string, atMs: number, keepSession: string | null): Promise<void>;

  addPending(tokenHash: string, personId: string, expiresAtMs: number): Promise<void>;
  setChallenge(tokenHash: string, challenge: string, atMs: number): Promise<PendingSignIn | undefined>;
  /** Counts one second factor of at most five before it is judged; undefined when none is left or the time is over. */
  judgePending(tokenHash: string, atMs: number): Promise<PendingSignIn | undefined>;
  secondFactorsOf(personId: string): Promise<SecondFactors>;

  totpOf(personId: string): Promise<{ readonly sealed: string; readonly confirmed: boolean } | undefined>;
  setTotp(personId: string, sealed: string, fingerprint: string): Promise<'set' | 'belongs_to_another'>;
  /** Accepts a time step once: false when it, or a later one, was accepted before. */
  acceptTotpStep(personId: string, step: bigint, atMs: number): Promise<boolean>;
  useRecoveryCode(personId: string, hash: string, atMs: number): Promise<boolean>;
  setRecoveryCodes(personId: string, hashes: readonly string[]): Promise<void>;
  passkey(credentialId: string): Promise<StoredPasskey | undefined>;
  passkeysOf(personId: string): Promise<readonly StoredPasskey[]>;
  addPasskey(passkey: StoredPasskey): Promise<'added' | 'belongs_to_another'>;
  /** False when the counter went back: the authenticator may have been copied. */
  usePasskey(credentialId: string, signCount: number, atMs: number): Promise<boolean>;
  removePasskey(personId: string, credentialId: string): Promise<boolean>;

  /** Makes the session and ends the pending sign-in, in one commit: one sign-in, one session. */
  openSession(session: NewSession, pendingTokenHash: string | null): Promise<boolean>;
  /** The live session of a token, marked as seen; `rotate` when its token is due to be replaced. */
  session(
    tokenHash: string,
    atMs: number,
    idleMs: number,
  ): Promise<{ readonly session: Session; readonly rotatedAtMs: number } | undefined>;
  rotate(sessionId: string, fromHash: string, toHash: string, atMs: number): Promise<boolean>;
  sessionsOf(personId: string, atMs: number): Promise<readonly Session[]>;
  endSession(personId: string, sessionId: string, atMs: number): Promise<boolean>;
  endSessions(personId: string, exceptId: string | null, atMs: number): Promise<number>;

  /** A fresh second factor for one subject. */
  addStepUp(
    stepUp: StepUp & {
      readonly personId: string;
      readonly sessionId: string;
      readonly subjectId: string;
    },
  ): Promise<void>;
  newestStepUp(sessionId: string, subjectId: string, sinceMs: number): Promise<StepUp | undefined>;
}
