// Stores the common part of all proposals in PostgreSQL. If the author withdraws a proposal, this is stored as a decision. So a
// proposal ends only once, even if two people act at the same time.
import type { Proposal, ProposalDecision, ReviewRequest } from '../../../domain/review/proposal.ts';
import type { ProposalStore } from '../../../ports/review-store.ts';
import type { Database } from '../connection/database.ts';
import type { AnyRow } from '../reads/settlement-rows.ts';

export function makeProposalStore(database: Database): ProposalStore {
  return {
    kindOf: async (id) => {
      const { rows } = await database.query<{ kind: 'review' | 'setting' }>({
        name: 'proposal-kind',
        text: 'select kind from proposals where id = $1',
        values: [id],
      });
      return rows[0]?.kind;
    },
    withdraw: async (id, author, reason, atMs) => {
      const { rowCount } = await database.query({
        name: 'withdraw-proposal',
        text: `insert into proposal_decisions (proposal_id, proposed_by, decided_by, approved, withdrawn, reason, at)
          select id, proposed_by, proposed_by, false, true, $3, to_timestamp($4::float8 / 1000)
          from proposals where id = $1 and proposed_by = $2
          on conflict (proposal_id) do nothing`,
        values: [id, author, reason, atMs],
      });
      return rowCount === 1;
    },
    namesOf: async (personIds) => {
      const { rows } = await database.query<{ id: string; name: string }>({
        name: 'people-names',
        text: 'select id, name from people where id = any ($1::text[])',
        values: [personIds],
      });
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  };
}

/** How a proposal is stored: the request as JSON with amounts as text, and the decision if there is one. */
export const PROPOSALS = {
  select: `select p.id, p.mode, p.action, p.subject_id, p.detail, p.proposed_by,
      (extract(epoch from p.proposed_at) * 1000)::float8 as proposed_ms,
      d.decided_by, d.approved, d.withdrawn, d.reason, (extract(epoch from d.at) * 1000)::float8 as decided_ms
    from proposals p left join proposal_decisions d on d.proposal_id = p.id`,
  read: (row: AnyRow): Proposal => ({
    id: row.id,
    mode: row.mode,
    request: requestOf(row),
    amountMinor: BigInt(row.detail.amountMinor),
    proposedBy: row.proposed_by,
    proposedAtMs: row.proposed_ms,
    decision: decisionOf(row),
  }),
};

export function decisionOf(row: AnyRow): ProposalDecision | null {
  const { decided_by: decidedBy, approved, withdrawn, reason, decided_ms: atMs } = row;
  return decidedBy === null ? null : { decidedBy, approved, withdrawn, reason, atMs };
}

export function proposalDetail({ request, amountMinor }: Proposal): object {
  return { ...detailOf(request), amountMinor: amountMinor.toString() };
}

function detailOf(request: ReviewRequest): object {
  if (request.action === 'split') return { partsMinor: request.detail.partsMinor.map(String) };
  if (request.action === 'withdraw' || request.action === 'naira')
    return { ...request.detail, nairaMinor: request.detail.nairaMinor.toString() };
  return request.detail;
}

function requestOf({ action, subject_id: subjectId, detail }: AnyRow): ReviewRequest {
  const { amountMinor: _amount, ...rest } = detail;
  if (action === 'split') return { action, subjectId, detail: { partsMinor: rest.partsMinor.map(BigInt) } };
  if (action === 'withdraw' || action === 'naira')
    return { action, subjectId, detail: { ...rest, nairaMinor: BigInt(rest.nairaMinor) } };
  return { action, subjectId, detail: rest };
}
