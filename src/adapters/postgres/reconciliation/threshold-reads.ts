// Finds large transfers among credits and payouts by the time when they were written. A credit from a statement may be written
// long after its value day.
import type { LargeTransfer, LargeTransferReads } from '../../../ports/reconciliation.ts';
import type { Database } from '../connection/database.ts';
import {
  all,
  bigintColumn,
  columnFrom,
  defineColumns,
  ms,
  plainColumn,
} from '../connection/record-columns.ts';

const CREDITS = `select c.id, 'in' as direction, case when c.transaction_id is null then 'credit' else 'buy' end as kind, c.mode,
    c.value_at as at, c.amount_minor, c.state::text as state, c.transaction_id, coalesce(t.business_id, c.business_id) as business_id,
    coalesce(c.account_bank_code, 'unknown') || ':' || c.account_number as our_account, c.payer_name as other_name,
    c.payer_account as other_account, coalesce(c.payer_bank_name, c.payer_bank_code) as other_bank, c.source_id as reference,
    c.session_id, c.narration, s.wallet_address as wallet
  from bank_credits c left join transactions t on t.id = c.transaction_id
  left join transaction_states s on s.transaction_id = c.transaction_id
  where c.received_at >= $2::timestamptz - interval '1 day' and c.value_at >= $2 and c.value_at < $3 and c.mode = $1
    and c.parent_id is null and c.amount_minor > $4`;

const PAYOUTS = `select m.id, 'out', case m.kind when 'payout' then 'sell' else 'refund' end, m.mode, a.at, m.naira_minor, m.state::text,
    m.transaction_id, t.business_id, m.bank_account, m.destination ->> 'accountName', m.destination ->> 'accountNumber',
    m.destination ->> 'bankCode', a.reference, a.evidence ->> 'session_id', null, s.wallet_address
  from movement_attempts a join movements m on m.id = a.movement_id left join transactions t on t.id = m.transaction_id
  left join transaction_states s on s.transaction_id = m.transaction_id
  where a.mode = $1 and a.rail is not null and a.at >= $2 and a.at < $3 and a.state = 'landed' and m.kind in ('payout', 'refund')
    and m.naira_minor > $4`;

/** Columns of a transfer `x` (a credit or a payout) and the business `b`. */
const TRANSFER = defineColumns<LargeTransfer>({
  ...all(
    plainColumn,
    'id',
    'direction',
    'kind',
    'mode',
    'state',
    'transactionId',
    'businessId',
    'ourAccount',
  ),
  ...all(
    plainColumn,
    'otherName',
    'otherAccount',
    'otherBank',
    'reference',
    'sessionId',
    'narration',
    'wallet',
  ),
  ...{ businessName: columnFrom('b.name', plainColumn), amountMinor: bigintColumn, atMs: ms },
});

const PAGE = `select ${TRANSFER.list('x')} from (${CREDITS} union all ${PAYOUTS}) x
  left join businesses b on b.id = x.business_id
  where $5::float8 is null or ((extract(epoch from x.at) * 1000)::float8, x.id) > ($5, $6::text) order by "atMs", x.id limit $7`;

export function makeThresholdReads(database: Database): LargeTransferReads {
  return {
    largeTransfers: async ({ mode, fromMs, toMs, aboveMinor, after, limit }) => {
      const { rows } = await database.query({
        text: PAGE,
        values: [
          ...[mode, new Date(fromMs), new Date(toMs), String(aboveMinor)],
          ...[after?.atMs ?? null, after?.id ?? null, limit],
        ],
      });
      return rows.map(TRANSFER.read);
    },
  };
}
