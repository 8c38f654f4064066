// The open cases of one statement file: what a proposal about them would close, and the digest that the proposal must name.
import {
  type CaseGroupSum,
  explainCaseGroup,
  MOST_CASES_AT_ONCE,
  sumCaseGroup,
} from '../../domain/review/case-groups.ts';
import type { Decider, Plan, ReviewRefusal, ReviewRequest } from '../../domain/review/proposal.ts';
import type { Result } from '../../domain/values/result.ts';
import type { ReviewDeps } from './review-deps.ts';

type ReadCases = { readonly reviewDesk: Pick<ReviewDeps['reviewDesk'], 'openCasesOfFile'> };

export async function planCaseGroup(
  { reviewDesk }: ReadCases,
  { subjectId, detail }: Extract<ReviewRequest, { action: 'explained_all' }>,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const cases = await reviewDesk.openCasesOfFile(subjectId, MOST_CASES_AT_ONCE);
  return explainCaseGroup(subjectId, cases, detail, by);
}

/** The cases of the next proposal: at most MOST_CASES_AT_ONCE, the oldest first. Undefined: no case of the file is open. */
export async function readCaseGroup(
  { reviewDesk }: ReadCases,
  fileId: string,
): Promise<CaseGroupSum | undefined> {
  const cases = await reviewDesk.openCasesOfFile(fileId, MOST_CASES_AT_ONCE);
  return cases.length === 0 ? undefined : sumCaseGroup(cases);
}
