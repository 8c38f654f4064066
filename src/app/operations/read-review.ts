// The review of one record, for the page of a reviewer: the record with what belongs to it, the buys a credit may pay, what
// can be done now, and the proposals that wait, each with what it would post.
import type { BankCredit } from '../../domain/records/credit.ts';
import type { ProposalDeps } from '../review/decide-proposal.ts';
import { type RecordWithRest, readRecord } from '../review/read-record.ts';
import { type CompareDeps, type ComparedClaim, compareCandidates } from './compare-candidates.ts';
import { type PossibleAction, possibleActions } from './possible-actions.ts';
import { type ShownProposal, showProposal } from './read-proposal.ts';

export interface ReviewOfRecord {
  readonly found: RecordWithRest;
  /** Of a bank credit, the best first. */
  readonly candidates: readonly ComparedClaim[];
  readonly actions: readonly PossibleAction[];
  /** The open ones. */
  readonly proposals: readonly ShownProposal[];
}

/** Undefined: there is no record with this id. `compareWith`: a transaction that the reviewer wants to compare, too. */
export async function readReview(
  deps: ProposalDeps & CompareDeps,
  asked: { readonly id: string; readonly actor: string; readonly compareWith: string | null },
): Promise<ReviewOfRecord | undefined> {
  const { id, actor, compareWith } = asked;
  const found = await readRecord(deps, id);
  if (found === undefined) return undefined;
  const proposals: ShownProposal[] = [];
  for (const proposal of found.proposals)
    proposals.push(await showProposal(deps, { kind: 'review', proposal }));
  return {
    found,
    candidates: id.startsWith('crd_')
      ? await compareCandidates(deps, found.record as BankCredit, actor, compareWith)
      : [],
    actions: await possibleActions(deps, found.record as { readonly id: string }, actor),
    proposals,
  };
}
