// Shared by the review commands: refusals as failures that say what to do.

import type { ReviewRefusal } from '../../domain/review/proposal.ts';
import type { Result } from '../../domain/values/result.ts';
import { refused } from '../terminal/failure.ts';

export function answerOf<T>(result: Result<T, ReviewRefusal>): T {
  if (result.ok) return result.value;
  throw refused(result.error);
}
