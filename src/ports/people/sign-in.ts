// What signing in needs of the database. Guesses are counted before they are judged, in one statement each, so that any
// number of them at once are judged no more often than one after the other. What changes a credential is recorded in the
// audit log in the same commit.
import type { AuditStamp } from '../back-office.ts';
import type { Person } from './people.ts';
import type { SecondFactorStore } from './second-factors.ts';
import type { SessionStore } from './sessions.ts';

export interface TryLimits {
  /** The number of attempts in a row that are judged. */
  readonly most: number;
  /** The durations of the first lock, the second and so on; the last one repeats. */
  readonly lockMs: readonly number[];
  /** The time without an attempt or a lock after which the count restarts. */
  readonly forgetMs: number;
}

/** A pending sign-in: the password was right, the second factor is still to come. */
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
  /** Counts a try before it is judged; answers until when no more are judged. Forgets rows that are too old. */
  countTry(key: string, atMs: number, limits: TryLimits): Promise<number | null>;
  /** Returns an attempt that was counted and could not be judged. */
  returnTry(key: string): Promise<void>;
  /** A right sign-in, or the operator, ends the row of failures. */
  forgetTries(keys: readonly string[]): Promise<void>;
  passwordOf(email: string): Promise<{ readonly person: Person; readonly stored: string } | undefined>;
  /** Ends all sessions and pending sign-ins of the person, and forgets their devices. */
  setPassword(personId: string, stored: string, doing: AuditStamp): Promise<void>;

  /** Whether the token belongs to a device from which this address has signed in. */
  isKnownDevice(tokenHash: string, email: string, atMs: number): Promise<boolean>;
  rememberDevice(tokenHash: string, personId: string, atMs: number): Promise<void>;

  /** `stored`: the password it was opened with. False: that one was changed meanwhile, or the person is disabled. */
  addPending(pending: NewPendingSignIn, stored: string | null): Promise<boolean>;
  /** Finds a pending sign-in without counting an attempt, to set up a first second factor. */
  pending(tokenHash: string, atMs: number): Promise<PendingSignIn | undefined>;
  setChallenge(tokenHash: string, challenge: string, atMs: number): Promise<PendingSignIn | undefined>;
  /** Counts one second factor of at most five before it is judged, and takes the challenge away: it is answered once.
   * Undefined when none is left or the time is over. */
  judgePending(tokenHash: string, atMs: number): Promise<PendingSignIn | undefined>;
}
