// Stores what signing in needs. One statement counts each guess before the guess is checked, so that parallel guesses get no
// more checks than guesses one after the other. A change of a credential is recorded in the audit log in the same commit.
import type { AuditStamp } from '../back-office.ts';
import type { Person } from './people.ts';
import type { SecondFactorStore } from './second-factors.ts';
import type { SessionStore } from './sessions.ts';

export interface TryLimits {
  /** The number of consecutive attempts that are checked before a lock. */
  readonly most: number;
  /** The durations of the first lock, the second lock and so on. The last duration repeats. */
  readonly lockMs: readonly number[];
  /** After this time without an attempt and without a lock, the count starts again at zero. */
  readonly forgetMs: number;
}

/** A pending sign-in: the password was correct, and the second factor is still missing. */
export interface PendingSignIn {
  readonly personId: string;
  readonly triesKey: string;
  readonly challenge: string | null;
}

export interface NewPendingSignIn {
  readonly tokenHash: string;
  readonly personId: string;
  readonly triesKey: string;
  readonly atMs: number;
  readonly expiresAtMs: number;
}

export interface SignInStore extends SecondFactorStore, SessionStore {
  /**
   * Counts an attempt before it is checked. During a lock, it returns the time until which no attempt is checked. It also
   * deletes rows that are too old.
   */
  countTry(key: string, atMs: number, limits: TryLimits): Promise<number | null>;
  /** Subtracts an attempt that was counted but could not be checked. */
  returnTry(key: string): Promise<void>;
  /** Resets the count of failures. This happens after a correct sign-in, or when the operator requests it. */
  forgetTries(keys: readonly string[]): Promise<void>;
  passwordOf(email: string): Promise<{ readonly person: Person; readonly stored: string } | undefined>;
  /** Sets the password of a person. It ends all sessions and pending sign-ins of the person, and forgets their devices. */
  setPassword(personId: string, stored: string, doing: AuditStamp): Promise<void>;

  /** Whether the token belongs to a device from which this e-mail address has signed in. */
  isKnownDevice(tokenHash: string, email: string, atMs: number): Promise<boolean>;
  rememberDevice(tokenHash: string, personId: string, atMs: number): Promise<void>;

  /**
   * `stored`: the stored password with which the sign-in was checked. The result is false if the password was changed in the
   * meantime, or if the person is disabled.
   */
  addPending(pending: NewPendingSignIn, stored: string | null): Promise<boolean>;
  /** Finds a pending sign-in without counting an attempt. It is used to set up a person's first second factor. */
  pending(tokenHash: string, atMs: number): Promise<PendingSignIn | undefined>;
  setChallenge(tokenHash: string, challenge: string, atMs: number): Promise<PendingSignIn | undefined>;
  /**
   * Counts one of at most five attempts and removes the challenge, before the second factor is checked. So the challenge is
   * used only once. Undefined if no attempt is left or the pending sign-in has expired.
   */
  judgePending(tokenHash: string, atMs: number): Promise<PendingSignIn | undefined>;
}
