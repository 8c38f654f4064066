// A simulated process as the rest of the simulation sees it.
import type { SubmissionDeps } from '../../../src/app/intake/submission.ts';
import type { ReviewDeps } from '../../../src/app/review/review-deps.ts';
import type { Life } from './gate.ts';

export interface Machine extends Life {
  readonly review: ReviewDeps;
  readonly submission: () => SubmissionDeps;
  /** There may be something to do. */
  wake(soonMs: number): void;
  /** It dies now. */
  fall(why: string): void;
  /** Its machine is fixed, its clock is set right, and it runs. */
  fix(): void;
}
