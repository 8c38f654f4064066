// The open cases of one statement file, which people end together. A proposal is bound to a digest of the ids and amounts of its
// cases: if one case more or less is open at the approval, the proposal no longer applies.
import { createHash } from 'node:crypto';
import { type Case, makeMove } from '../records/change.ts';
import type { CreditReport } from '../records/credit.ts';
import { ok, type Result } from '../values/result.ts';
import { type Decider, type ExplainedAllDetail, type Plan, type ReviewRefusal, refuse } from './proposal.ts';

/** The maximum number of cases of one proposal: they are closed in one commit. */
export const MOST_CASES_AT_ONCE = 2_000;

/** A case about a row of a statement file that no credit explains, with the report of that row. */
export interface FileCase {
  readonly found: Case;
  readonly report: CreditReport;
}

export interface CaseGroupSum {
  readonly cases: number;
  readonly amountMinor: bigint;
  readonly digest: string;
}

export function sumCaseGroup(cases: readonly FileCase[]): CaseGroupSum {
  const lines = cases.map(({ found: { id, amountMinor } }) => `${id} ${amountMinor}`).sort();
  return {
    cases: cases.length,
    amountMinor: cases.reduce((sum, { found }) => sum + found.amountMinor, 0n),
    digest: createHash('sha256').update(lines.join('\n')).digest('hex'),
  };
}

/** Closes the cases as explained. Nothing is booked, and no report becomes a credit. */
export function explainCaseGroup(
  fileId: string,
  cases: readonly FileCase[],
  asked: ExplainedAllDetail,
  { actor: closedBy, atMs }: Decider,
): Result<Plan, ReviewRefusal> {
  const [first] = cases;
  if (first === undefined) return refuse('not_found', `No case about the statement file ${fileId} is open.`);
  const { cases: count, amountMinor, digest } = sumCaseGroup(cases);
  if (count !== asked.cases || digest !== asked.digest)
    return refuse(
      'changed',
      `The open cases about ${fileId} have changed: there are ${count} now. Look at them again and make a new proposal.`,
    );
  return ok({
    ...{ mode: first.found.mode, amountMinor },
    change: {
      atMs,
      reports: cases.map(({ report }) => makeMove(report, { state: 'explained', dueAtMs: null })),
      closeCases: cases.map(({ found: { id } }) => ({ id, outcome: 'explained', closedBy })),
    },
  });
}
