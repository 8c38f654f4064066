// The records that a change updates. Each record must still have the version that the change was based on.
import type { TransactionMove } from '../../../domain/records/change.ts';
import { formatLedgerAccount } from '../../../domain/records/naira-move.ts';
import {
  all,
  as,
  bigintColumn,
  flag,
  int,
  json as jsonb,
  ms,
  plainColumn,
  written,
} from '../connection/record-columns.ts';
import { CLAIM_COLUMNS, OPEN_CLAIM_STATES } from '../reads/candidates.ts';
import {
  after,
  type CommitPart,
  defineCommitPart,
  jsonOrNull,
  textOrNull,
  timestampSql,
  withChangeTime,
} from './commit-part.ts';

const QUEUE_COLUMNS = { dueAtMs: ms, tries: int };
const VERSION = written({ version: int });

// A leased credit is due only when its lease ends. If the credit is due now, a claim that this decision has not seen made it
// due. So the credit stays due while it is open.
const CREDIT_QUEUE_COLUMNS = `version = x.version + 1, tries = x.tries, due_at = case
  when x.state in ('unmatched', 'review') and t.due_at <= ${timestampSql('at_ms')} then t.due_at
  else ${timestampSql('due_at_ms')} end`;

/**
 * Whether this change closes the open claim of a buy. If the previous state was closed, the transaction has no claim row. A
 * change without a timeline line may come from any state.
 */
function closesClaim({ after, line }: TransactionMove): boolean {
  return (
    after.type === 'buy' && !OPEN_CLAIM_STATES.has(after.state) && (!line || OPEN_CLAIM_STATES.has(line.from))
  );
}

/**
 * Whether this change opens a claim for a buy. The previous state does not matter: without a claim row, a payment would not
 * find its transaction.
 */
function opensClaim({ after }: TransactionMove): boolean {
  return after.type === 'buy' && OPEN_CLAIM_STATES.has(after.state);
}

export const MOVES: readonly CommitPart[] = [
  defineCommitPart((change) => change.transactions)({
    name: 'transaction',
    fence: { table: 'transaction_states', key: 'transaction_id' },
    columns: [
      ...VERSION,
      ...after(
        written({
          ...all(plainColumn, 'id', 'businessId', 'mode', 'stateReason', 'exception', 'txHash'),
          ...{
            state: as('transaction_state', plainColumn),
            ...all(bigintColumn, 'receivedMinor', 'refundedMinor'),
          },
          ...{ released: flag, ...QUEUE_COLUMNS, updatedAtMs: ms },
        }),
      ),
      ['network', 'text', (m) => m.after.wallet?.network ?? null],
      ['wallet_address', 'text', (m) => m.after.wallet?.address ?? null],
      ['from_state', 'transaction_state', (m) => m.line?.from ?? null],
      ['actor', 'text', (m) => m.line?.actor ?? null],
      ['reason', 'text', (m) => m.line?.reason ?? null],
      ['evidence', 'jsonb', (m) => jsonOrNull(m.line?.evidence)],
    ],
    write: [
      `update transaction_states t set state = x.state, state_reason = x.state_reason, network = x.network,
        wallet_address = x.wallet_address, exception = x.exception, tx_hash = x.tx_hash,
        received_minor = x.received_minor, refunded_minor = x.refunded_minor, released = x.released,
        updated_at = ${timestampSql('updated_at_ms')}, version = x.version + 1, due_at = ${timestampSql('due_at_ms')},
        tries = x.tries
      from x where t.transaction_id = x.id`,
      `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, evidence, business_id, mode,
        state_reason, exception, tx_hash, network, wallet_address, received_minor, refunded_minor)
      select x.id, x.version + 1, ${timestampSql('updated_at_ms')}, x.from_state, x.state, x.actor, x.reason, x.evidence,
        x.business_id, x.mode, x.state_reason, x.exception, x.tx_hash, x.network, x.wallet_address, x.received_minor,
        x.refunded_minor
      from x where x.from_state is not null`,
    ],
  }),
  defineCommitPart((change) => change.transactions?.filter(closesClaim).map(({ after }) => after.id))({
    name: 'claim_closed',
    order: ['id'],
    columns: [['id', 'text', (id) => id]],
    write: ['delete from open_claims where transaction_id = any (array(select id from x))'],
  }),
  defineCommitPart((change) => change.transactions?.filter(opensClaim).map(({ after }) => after.id))({
    name: 'claim_opened',
    order: ['id'],
    columns: [['id', 'text', (id) => id]],
    write: [
      `insert into open_claims (${CLAIM_COLUMNS})
      select t.id, t.mode, t.vendor_number, t.account_number, t.amount_minor, t.expires_at, t.reference
      from x cross join lateral (select * from transactions where id = x.id limit 1) t on conflict do nothing`,
    ],
  }),
  defineCommitPart((change) => withChangeTime(change.credits, change))({
    name: 'credit',
    fence: { table: 'bank_credits', key: 'id' },
    columns: [
      ...VERSION,
      ...after(
        written({
          ...all(plainColumn, 'id', 'exception', 'transactionId'),
          ...{ state: as('credit_state', plainColumn), ...QUEUE_COLUMNS },
        }),
      ),
      ...written({ atMs: ms }),
    ],
    write: [
      `update bank_credits t set state = x.state, exception = x.exception, transaction_id = x.transaction_id,
        ${CREDIT_QUEUE_COLUMNS}
      from x where t.id = x.id`,
    ],
  }),
  defineCommitPart((change) => change.deposits)({
    name: 'deposit',
    fence: { table: 'deposits', key: 'id' },
    columns: [
      ...VERSION,
      ...after(
        written({
          ...all(plainColumn, 'id', 'exception', 'transactionId'),
          ...{
            state: as('deposit_state', plainColumn),
            amountMinor: as('numeric', bigintColumn),
            chainAtMs: ms,
            ...QUEUE_COLUMNS,
          },
        }),
      ),
    ],
  }),
  defineCommitPart((change) => change.movements)({
    name: 'movement',
    fence: { table: 'movements', key: 'id' },
    columns: [
      ...VERSION,
      ...after(
        written({
          ...all(plainColumn, 'id', 'reason', 'bankAccount'),
          ...{ state: as('movement_state', plainColumn), destination: jsonb, attempts: int },
          ...{ ...QUEUE_COLUMNS, updatedAtMs: ms },
        }),
      ),
    ],
  }),
  defineCommitPart((change) => change.notices)({
    name: 'notice',
    fence: { table: 'bank_notices', key: 'id' },
    columns: [...VERSION, ...after(written({ id: plainColumn, state: plainColumn, ...QUEUE_COLUMNS }))],
  }),
];

/**
 * Naira postings that two people decided. Each bank statement line is booked once, with the decision that allows the posting.
 */
export const NAIRA_MOVES: readonly CommitPart[] = [
  defineCommitPart(
    ({ nairaMove, decision, atMs }) =>
      nairaMove && [{ ...nairaMove, proposalId: decision!.proposalId, atMs }],
  )({
    name: 'naira_move',
    once: { table: 'naira_moves', by: ['mode', 'kind', 'charge', 'account', 'reference'] },
    columns: [
      ...written({ ...all(plainColumn, 'id', 'mode', 'kind', 'reference', 'proposalId'), atMs: ms }),
      ['charge', 'text', (n) => n.charge ?? ''],
      ['account', 'text', (n) => formatLedgerAccount(n.account)],
      ['to_account', 'text', (n) => (n.to === null ? null : formatLedgerAccount(n.to))],
      ['amount_minor', 'bigint', (n) => textOrNull(n.nairaMinor)],
      ['day', 'date', (n) => n.day],
    ],
  }),
];
