// Stored sessions and step-ups. Only hashes of tokens are stored.
import type { StepUp } from '../../domain/people/people-needed.ts';

export type Surface = 'browser' | 'command_line';

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

export interface NewStepUp extends StepUp {
  readonly personId: string;
  readonly sessionId: string;
  readonly subjectId: string;
}

export interface SessionStore {
  /**
   * Creates the session and ends the pending sign-in in one commit, so that one sign-in gives one session. False: it
   * was used or ended meanwhile, or the person is disabled.
   */
  openSession(session: NewSession, pendingTokenHash: string): Promise<boolean>;
  /** The live session of a token; marks it as seen. */
  session(
    tokenHash: string,
    atMs: number,
    idleMs: number,
  ): Promise<{ readonly session: Session; readonly rotatedAtMs: number } | undefined>;
  rotate(sessionId: string, fromHash: string, toHash: string, atMs: number): Promise<boolean>;
  sessionsOf(personId: string, atMs: number, idleMs: number): Promise<readonly Session[]>;
  endSession(personId: string, sessionId: string, atMs: number): Promise<boolean>;
  /** Ends the sessions and the pending sign-ins of the person. */
  endSessions(personId: string, exceptId: string | null, atMs: number): Promise<number>;

  /** Stores a WebAuthn challenge for one subject of a session. False: no further second factor is accepted for it. */
  setStepUpChallenge(sessionId: string, subjectId: string, challenge: string, atMs: number): Promise<boolean>;
  /**
   * Counts one attempt of at most five before the second factor is checked, and removes the challenge. Undefined: no
   * attempt is left.
   */
  judgeStepUp(
    sessionId: string,
    subjectId: string,
    challengedSinceMs: number,
  ): Promise<{ readonly challenge: string | null } | undefined>;
  /** A correct second factor resets the count of wrong ones. */
  forgetStepUpTries(sessionId: string, subjectId: string): Promise<void>;
  addStepUp(stepUp: NewStepUp): Promise<void>;
  newestStepUp(sessionId: string, subjectId: string, sinceMs: number): Promise<StepUp | undefined>;
}
