// What an event holds: the transaction as it was in that commit, the change, and the refund. An acceptance is put together
// from the facts and the first lines in one statement, so in one snapshot. Nothing here changes later: facts, lines and done
// movements are never altered.
import {
  type BusinessEvent,
  type CompletedRefund,
  type EventChange,
  type EventType,
  eventId,
  hasRefundEvent,
  typeOfLine,
} from '../../../domain/events/event.ts';
import type { State } from '../../../domain/records/states.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { Database } from '../connection/database.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, toTransaction } from '../reads/transaction-rows.ts';
import { REFUND_MOVES, type RowPlace } from './places.ts';

interface LineRow extends TransactionRow {
  from_state: State | null;
  actor: string;
  reason: string;
  at_ms: number;
  committed_by: string;
  /** Events of the transaction before this row. */
  earlier: number;
  movement_id: string | null;
  refund_reference: string;
  naira_minor: string;
  refund_network: string | null;
  refund_destination: unknown;
}

// A wallet that was given later was not there at the acceptance; a wallet is never replaced.
const LINES = `
select ${TRANSACTION_COLUMNS}, s.from_state, s.actor, s.reason, s.committed_by,
  (extract(epoch from s.updated_at) * 1000)::float8 as at_ms, e.earlier, s.evidence ->> 'reference' as refund_reference,
  m.id as movement_id, m.naira_minor, m.network as refund_network, m.destination as refund_destination
from unnest($1::text[], $2::int[]) as p(subject, version)
cross join lateral (select * from transactions where id = p.subject limit 1) t
cross join lateral (
  select from_state, to_state as state, state_reason, version, network, wallet_address, exception, tx_hash, received_minor,
    refunded_minor, false as released, 0 as tries, null::timestamptz as due_at, at as updated_at, actor, reason, evidence,
    committed_by
  from timeline where transaction_id = p.subject and version = p.version
  union all
  select null, coalesce((select from_state from timeline where transaction_id = p.subject order by version limit 1), n.state),
    null, 1, case when not g.given then n.network end, case when not g.given then n.wallet_address end, null, null, 0, 0,
    false, 0, null, t.created_at, t.key_id, 'accepted', null, t.committed_by
  from (select * from transaction_states where transaction_id = p.subject and p.version = 1 limit 1) n
  cross join lateral (select exists (select from timeline where transaction_id = p.subject
    and reason in ('wallet_given', 'refund_wallet_given')) as given) g
  limit 1) s
cross join lateral (
  select (case when p.version > 1 then 1 else 0 end) + (count(*) + count(*) filter (where ${REFUND_MOVES}))::int as earlier
  from timeline where transaction_id = p.subject and version < p.version) e
left join lateral (
  select id, naira_minor, network, destination from movements
  where s.reason = 'refund_made' and id = s.evidence ->> 'movement' limit 1) m on true
where s.committed_by < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

const ACCOUNT = `
select id, business_id, mode, type, (extract(epoch from at) * 1000)::float8 as at_ms, data, endpoint_id
from account_events where id = any ($1::text[])
  and committed_by < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

interface AccountRow {
  id: string;
  business_id: string;
  mode: Mode;
  type: EventType;
  at_ms: number;
  data: Readonly<Record<string, unknown>>;
  endpoint_id: string | null;
}

/** Every event of these rows by its id: one or two for a row. */
export async function eventsOf(
  database: Database,
  rows: readonly Omit<RowPlace, 'committedBy'>[],
): Promise<ReadonlyMap<string, BusinessEvent>> {
  const lines = rows.filter(({ subject }) => subject.startsWith('txn_'));
  const account = rows.filter(({ subject }) => !subject.startsWith('txn_'));
  const [ofTransactions, ofAccount] = await Promise.all([
    lines.length === 0
      ? []
      : database.query<LineRow>({
          name: 'events-lines',
          text: LINES,
          values: [lines.map(({ subject }) => subject), lines.map(({ version }) => version)],
        }),
    account.length === 0
      ? []
      : database.query<AccountRow>({
          name: 'events-account',
          text: ACCOUNT,
          values: [account.map(({ subject }) => subject)],
        }),
  ]);
  const events = [
    ...('rows' in ofTransactions ? ofTransactions.rows.flatMap(eventsOfLine) : []),
    ...('rows' in ofAccount ? ofAccount.rows.map(accountEvent) : []),
  ];
  return new Map(events.map((event) => [event.id, event]));
}

function eventsOfLine(row: LineRow): BusinessEvent[] {
  const transaction = toTransaction(row);
  const { version, state: to } = transaction;
  const change: EventChange = { from: row.from_state, to, actor: row.actor, reason: row.reason };
  const type = typeOfLine(change);
  const refund = refundOf(row);
  const moves = hasRefundEvent(change);
  const common = {
    kind: 'transaction',
    ...{ businessId: transaction.businessId, mode: transaction.mode, atMs: row.at_ms, transaction, change },
  } as const;
  const own: BusinessEvent = {
    ...common,
    ...{ id: eventId({ transactionId: transaction.id, version, isRefund: false }), type },
    sequence: row.earlier + (moves ? 2 : 1),
    refund: moves ? null : refund,
  };
  if (!moves) return [own];
  return [
    {
      ...common,
      ...{ id: eventId({ transactionId: transaction.id, version, isRefund: true }), refund },
      ...{ type: 'refund.completed', sequence: row.earlier + 1 },
    },
    own,
  ];
}

function refundOf(row: LineRow): CompletedRefund | null {
  if (row.reason !== 'refund_made' || row.movement_id === null) return null;
  return {
    movementId: row.movement_id,
    nairaMinor: BigInt(row.naira_minor),
    network: row.refund_network,
    destination: row.refund_destination,
    reference: row.refund_reference,
  };
}

function accountEvent(row: AccountRow): BusinessEvent {
  return {
    kind: 'account',
    ...{ id: row.id, type: row.type, sequence: 1, businessId: row.business_id, mode: row.mode },
    ...{ atMs: row.at_ms, data: row.data, endpointId: row.endpoint_id },
  };
}
