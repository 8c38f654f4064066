// Stores approvals of payouts in PostgreSQL. The attempt stays locked from the check to the commit of the approval. A
// settlement step that ends the attempt waits for this lock and then sees the approval.
import {
  type ApprovalRequest,
  type ApprovalVerdict,
  judgeApprovalRequests,
  type RailAttempt,
} from '../../../domain/rails/approval-request.ts';
import { parseBankReference } from '../../../domain/records/movement.ts';
import type { PayoutApprovals } from '../../../ports/rails/payout-guard.ts';
import type { RailKey } from '../../../ports/rails/rail-store.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  of,
  part,
  plainColumn,
} from '../connection/record-columns.ts';

type TransactionClient = Parameters<Parameters<Database['transaction']>[0]>[0];

export function makePayoutApprovals(database: Database): PayoutApprovals {
  return {
    judge: (orders, rails, atMs) =>
      database.transaction(async (client) => {
        const judged = judgeApprovalRequests(orders, await lockAttempts(client, orders, rails));
        if (judged.kind === 'approved') await storeApprovals(client, judged, atMs);
        return judged;
      }),
  };
}

/**
 * An attempt that the rail refused counts as failed here, even while the service still confirms the refusal. It can no longer
 * be approved.
 */
const STATE = `case when a.evidence ? 'refused' then 'failed' else a.state end`;
const GIVEN = defineColumns<RailAttempt>({
  ...of('a', all(plainColumn, 'movementId', 'no', 'reference')),
  state: columnFrom(STATE, plainColumn),
  movement: part<RailAttempt['movement']>(
    of('m', { ...all(plainColumn, 'state', 'attempts', 'destination'), nairaMinor: bigintColumn }),
  ),
});

async function lockAttempts(
  client: TransactionClient,
  orders: readonly ApprovalRequest[],
  rails: readonly RailKey[],
): Promise<readonly RailAttempt[]> {
  const { rows } = await client.query(
    `select ${GIVEN.list()}
     from movement_attempts a join movements m on m.id = a.movement_id
     where a.movement_id = any($1) and (a.mode, a.rail) in (select * from unnest($2::text[], $3::text[]))
     order by a.movement_id, a.no for update of a`,
    [
      orders.map(({ reference }) => parseBankReference(reference)),
      rails.map(({ mode }) => mode),
      rails.map(({ rail }) => rail),
    ],
  );
  return rows.map(GIVEN.read);
}

async function storeApprovals(
  client: TransactionClient,
  { attempts }: Extract<ApprovalVerdict, { kind: 'approved' }>,
  atMs: number,
): Promise<void> {
  await client.query(
    `insert into payout_approvals as t (movement_id, no, first_at, last_at)
     select x.*, $3, $3 from unnest($1::text[], $2::int[]) x
     on conflict (movement_id, no) do update set times = t.times + 1, last_at = excluded.last_at`,
    [attempts.map(({ movementId }) => movementId), attempts.map(({ no }) => no), new Date(atMs)],
  );
}
