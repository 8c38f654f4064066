// What signing in needs from the database. Each guess is counted in one statement before it is checked, so that parallel guesses
// get no more checks than sequential ones. A change of a credential is recorded in the audit log in the same commit.
import type { AuditStamp } from '../back-office.ts';
import type { Person } from './people.ts';
import type { SecondFactorStore } from './second-factors.ts';
import type { SessionStore } from './sessions.ts';

export interface TryLimits {
  /** The number of consecutive attempts that are checked. */
  readonly most: number;
  /** The durations of the first lock, the second and so on; the last one repeats. */
  readonly lockMs: readonly number[];
  /** The time without an attempt or a lock after which the count restarts. */
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
  /** Counts an attempt before it is checked; returns until when no more are checked. Deletes rows that are too old. */
  countTry(key: string, atMs: number, limits: TryLimits): Promise<number | null>;
  /** Takes back an attempt that was counted but could not be checked. */
  returnTry(key: string): Promise<void>;
  /** Resets the count of failures, after a correct sign-in or by the operator. */
  forgetTries(keys: readonly string[]): Promise<void>;
  passwordOf(email: string): Promise<{ readonly person: Person; readonly stored: string } | undefined>;
  /** Ends all sessions and pending sign-ins of the person, and forgets their devices. */
  setPassword(personId: string, stored: string, doing: AuditStamp): Promise<void>;

  /** Whether the token belongs to a device from which this address has signed in. */
  isKnownDevice(tokenHash: string, email: string, atMs: number): Promise<boolean>;
  rememberDevice(tokenHash: string, personId: string, atMs: number): Promise<void>;

  /** `stored`: the password of the sign-in. False: the password was changed meanwhile, or the person is disabled. */
  addPending(pending: NewPendingSignIn, stored: string | null): Promise<boolean>;
  /** Finds a pending sign-in without counting an attempt, to set up a first second factor. */
  pending(tokenHash: string, atMs: number): Promise<PendingSignIn | undefined>;
  setChallenge(tokenHash: string, challenge: string, atMs: number): Promise<PendingSignIn | undefined>;
  /**
   * Counts one attempt of at most five before the second factor is checked, and removes the challenge, so that it is
   * used once. Undefined: no attempt is left, or the time is over.
   */
  judgePending(tokenHash: string, atMs: number): Promise<PendingSignIn | undefined>;
}
