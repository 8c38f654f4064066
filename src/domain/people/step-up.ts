// A step-up: a second factor given for one subject, which a decision about that subject relies on.

/** How long a decision may rely on a step-up. The database keeps the same bound (migrations/0011_decisions.sql). */
export const STEP_UP_MS = 5 * 60_000;

export interface StepUp {
  readonly id: string;
  readonly atMs: number;
}
