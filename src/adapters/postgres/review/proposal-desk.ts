// What proposals have in common, on PostgreSQL. A withdrawal is the author's own row among the decisions, so a proposal ends
// once, whoever is faster.
import type { ProposalDesk } from '../../../ports/proposal-desk.ts';
import type { Database } from '../connection/database.ts';

export function makeProposalDesk(database: Database): ProposalDesk {
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
