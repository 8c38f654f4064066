// Reads the content of an event: the transaction as it was at that commit, the change, and the refund. An acceptance is built
// from the facts and the first timeline lines in one statement, so from one snapshot. The content of an event never changes
// later, because facts, lines and finished movements are never altered.
import {
  type BusinessEvent,
  type CompletedRefund,
  type EventChange,
  eventId,
  eventTypeOfLine,
  hasRefundEvent,
} from '../../../domain/events/event.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  ms,
  named,
  of,
  part,
  plainColumn,
} from '../connection/record-columns.ts';
import { TRANSACTION_COLUMNS, toTransaction } from '../reads/transaction-rows.ts';
import { REFUND_MOVES, type RowPlace } from './log-places.ts';

interface Line {
  readonly change: EventChange;
  readonly atMs: number;
  readonly earlier: number;
  readonly refund: CompletedRefund | null;
}

const LINE = defineColumns<Line>({
  change: part<EventChange>(
    of('s', {
      to: named('state', plainColumn),
      from: named('from_state', plainColumn),
      ...all(plainColumn, 'actor', 'reason'),
    }),
  ),
  atMs: columnFrom('s.updated_at', ms),
  earlier: columnFrom('e.earlier', plainColumn),
  refund: part<CompletedRefund>({
    movementId: columnFrom('m.id', plainColumn),
    ...of('m', { nairaMinor: bigintColumn, ...all(plainColumn, 'network', 'destination') }),
    reference: columnFrom(`s.evidence ->> 'reference'`, plainColumn),
  }),
});

// If the wallet of a transaction was set later, the transaction had no wallet at the acceptance. A wallet is never replaced.
const LINES = `
select ${TRANSACTION_COLUMNS}, ${LINE.list()}
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

type AccountEvent = Extract<BusinessEvent, { kind: 'account' }>;
const ACCOUNT_EVENT = defineColumns<Omit<AccountEvent, 'kind' | 'sequence'>>({
  ...all(plainColumn, 'id', 'businessId', 'mode', 'type', 'data', 'endpointId'),
  atMs: ms,
});

const ACCOUNT = `
select ${ACCOUNT_EVENT.list()}
from account_events where id = any ($1::text[])
  and committed_by < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

export async function readEventsOfRows(
  database: Database,
  rows: readonly Omit<RowPlace, 'committedBy'>[],
): Promise<ReadonlyMap<string, BusinessEvent>> {
  const lines = rows.filter(({ subject }) => subject.startsWith('txn_'));
  const account = rows.filter(({ subject }) => !subject.startsWith('txn_'));
  const [ofTransactions, ofAccount] = await Promise.all([
    lines.length === 0
      ? []
      : database.query({
          name: 'events-lines',
          text: LINES,
          values: [lines.map(({ subject }) => subject), lines.map(({ version }) => version)],
        }),
    account.length === 0
      ? []
      : database.query({
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

function eventsOfLine(row: object): BusinessEvent[] {
  const transaction = toTransaction(row);
  const { version } = transaction;
  const { change, atMs, earlier, refund } = LINE.read(row);
  const type = eventTypeOfLine(change);
  const moves = hasRefundEvent(change);
  const common = {
    kind: 'transaction',
    ...{ businessId: transaction.businessId, mode: transaction.mode, atMs, transaction, change },
  } as const;
  const own: BusinessEvent = {
    ...common,
    ...{ id: eventId({ transactionId: transaction.id, version, isRefund: false }), type },
    sequence: earlier + (moves ? 2 : 1),
    refund: moves ? null : refund,
  };
  if (!moves) return [own];
  return [
    {
      ...common,
      ...{ id: eventId({ transactionId: transaction.id, version, isRefund: true }), refund },
      ...{ type: 'refund.completed', sequence: earlier + 1 },
    },
    own,
  ];
}

function accountEvent(row: object): BusinessEvent {
  return { kind: 'account', sequence: 1, ...ACCOUNT_EVENT.read(row) };
}
