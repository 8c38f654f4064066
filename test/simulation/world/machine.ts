// A simulated process as the rest of the simulation sees it.
import type { SubmissionDeps } from '../../../src/app/intake/submission.ts';
import type { ReviewDeps } from '../../../src/app/review/review-deps.ts';
import type { Life } from './gate.ts';

export interface Machine extends Life {
  readonly review: ReviewDeps;
  readonly submission: () => SubmissionDeps;
  /** Wakes the process, because there may be work. */
  wake(soonMs: number): void;
  /** It dies now. */
  fall(why: string): void;
  /** Repairs the machine, corrects its clock, and starts the process if it is down. */
  fix(): void;
}
