// Stores sessions and step-ups. The store contains only hashes of tokens.
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
   * Creates the session and ends the pending sign-in in one commit, so that one sign-in gives one session. The result is false
   * if the pending sign-in was used or ended in the meantime, or if the person is disabled.
   */
  openSession(session: NewSession, pendingTokenHash: string): Promise<boolean>;
  /** Returns the active session of a token and records the time at which the session was used. */
  session(
    tokenHash: string,
    atMs: number,
    idleMs: number,
  ): Promise<{ readonly session: Session; readonly rotatedAtMs: number } | undefined>;
  rotate(sessionId: string, fromHash: string, toHash: string, atMs: number): Promise<boolean>;
  sessionsOf(personId: string, atMs: number, idleMs: number): Promise<readonly Session[]>;
  endSession(personId: string, sessionId: string, atMs: number): Promise<boolean>;
  /** Ends the sessions and the pending sign-ins of a person, except the session `exceptId`. */
  endSessions(personId: string, exceptId: string | null, atMs: number): Promise<number>;

  /**
   * Stores a WebAuthn challenge for a step-up for one subject of a session. The result is false if this subject accepts no
   * further second factor.
   */
  setStepUpChallenge(sessionId: string, subjectId: string, challenge: string, atMs: number): Promise<boolean>;
  /**
   * Counts one of at most five attempts and removes the challenge, before the second factor is checked. Undefined if no attempt
   * is left.
   */
  judgeStepUp(
    sessionId: string,
    subjectId: string,
    challengedSinceMs: number,
  ): Promise<{ readonly challenge: string | null } | undefined>;
  /** Called after a correct second factor. It resets the count of wrong second factors. */
  forgetStepUpTries(sessionId: string, subjectId: string): Promise<void>;
  addStepUp(stepUp: NewStepUp): Promise<void>;
  newestStepUp(sessionId: string, subjectId: string, sinceMs: number): Promise<StepUp | undefined>;
}
