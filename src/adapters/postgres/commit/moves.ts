// Records that a change moves on: each must still be on the version the change was decided on.
import type { TransactionMove } from '../../../domain/records/change.ts';
import { bookName } from '../../../domain/records/naira-move.ts';
import { CLAIM_COLUMNS, OPEN_STATES } from '../reads/candidates.ts';
import { json, type Kind, kind, text, time, timed } from './kind.ts';

/** The columns every queued record has. */
const QUEUED = 'version = x.version + 1, due_at = to_timestamp(x.due_ms / 1000), tries = x.tries';

// A leased credit is due only when its lease ends. One that is due now was hastened meanwhile by a claim that this decision
// has not seen, so it stays due while it is open.
const QUEUED_OPEN = `version = x.version + 1, tries = x.tries, due_at = case
  when x.state in ('unmatched', 'review') and t.due_at <= to_timestamp(x.at_ms / 1000) then t.due_at
  else to_timestamp(x.due_ms / 1000) end`;

/** One that came from a closed state has no row; a move without a line of the timeline may come from any state. */
function closesClaim({ after, line }: TransactionMove): boolean {
  return after.type === 'buy' && !OPEN_STATES.has(after.state) && (!line || OPEN_STATES.has(line.from));
}

/** Whatever it came from: a claim that is missing would not be found by its payment. */
function opensClaim({ after }: TransactionMove): boolean {
  return after.type === 'buy' && OPEN_STATES.has(after.state);
}

export const MOVES: readonly Kind[] = [
  kind({
    name: 'transaction',
    fence: { table: 'transaction_states', key: 'transaction_id' },
    itemsOf: (change) => change.transactions,
    columns: [
      ['id', 'text', (m) => m.after.id],
      ['version', 'int', (m) => String(m.version)],
      ['state', 'transaction_state', (m) => m.after.state],
      ['state_reason', 'text', (m) => m.after.stateReason],
      ['network', 'text', (m) => m.after.wallet?.network ?? null],
      ['wallet_address', 'text', (m) => m.after.wallet?.address ?? null],
      ['exception', 'text', (m) => m.after.exception],
      ['tx_hash', 'text', (m) => m.after.txHash],
      ['received_minor', 'bigint', (m) => text(m.after.receivedMinor)],
      ['refunded_minor', 'bigint', (m) => text(m.after.refundedMinor)],
      ['released', 'boolean', (m) => text(m.after.released)],
      ['due_ms', 'float8', (m) => text(m.after.dueAtMs)],
      ['tries', 'int', (m) => text(m.after.tries)],
      ['updated_ms', 'float8', (m) => text(m.after.updatedAtMs)],
      ['from_state', 'transaction_state', (m) => m.line?.from ?? null],
      ['actor', 'text', (m) => m.line?.actor ?? null],
      ['reason', 'text', (m) => m.line?.reason ?? null],
      ['evidence', 'jsonb', (m) => json(m.line?.evidence)],
      ['business_id', 'text', (m) => m.after.businessId],
      ['mode', 'text', (m) => m.after.mode],
    ],
    write: [
      `update transaction_states t set state = x.state, state_reason = x.state_reason, network = x.network,
        wallet_address = x.wallet_address, exception = x.exception, tx_hash = x.tx_hash,
        received_minor = x.received_minor, refunded_minor = x.refunded_minor, released = x.released,
        updated_at = ${time('updated_ms')}, ${QUEUED}
      from x where t.transaction_id = x.id`,
      `insert into timeline (transaction_id, version, at, from_state, to_state, actor, reason, evidence, business_id, mode,
        state_reason, exception, tx_hash, network, wallet_address, received_minor, refunded_minor)
      select x.id, x.version + 1, ${time('updated_ms')}, x.from_state, x.state, x.actor, x.reason, x.evidence,
        x.business_id, x.mode, x.state_reason, x.exception, x.tx_hash, x.network, x.wallet_address, x.received_minor,
        x.refunded_minor
      from x where x.from_state is not null`,
    ],
  }),
  kind({
    name: 'claim_closed',
    order: ['id'],
    itemsOf: (change) => change.transactions?.filter(closesClaim).map(({ after }) => after.id),
    columns: [['id', 'text', (id) => id]],
    write: ['delete from open_claims where transaction_id = any (array(select id from x))'],
  }),
  kind({
    name: 'claim_opened',
    order: ['id'],
    itemsOf: (change) => change.transactions?.filter(opensClaim).map(({ after }) => after.id),
    columns: [['id', 'text', (id) => id]],
    write: [
      `insert into open_claims (${CLAIM_COLUMNS})
      select t.id, t.mode, t.vendor_number, t.account_number, t.amount_minor, t.expires_at, t.reference
      from x cross join lateral (select * from transactions where id = x.id limit 1) t on conflict do nothing`,
    ],
  }),
  kind({
    name: 'credit',
    fence: { table: 'bank_credits', key: 'id' },
    itemsOf: (change) => timed(change.credits, change),
    columns: [
      ['id', 'text', ({ item: m }) => m.after.id],
      ['version', 'int', ({ item: m }) => String(m.version)],
      ['state', 'credit_state', ({ item: m }) => m.after.state],
      ['exception', 'text', ({ item: m }) => m.after.exception],
      ['transaction_id', 'text', ({ item: m }) => m.after.transactionId],
      ['due_ms', 'float8', ({ item: m }) => text(m.after.dueAtMs)],
      ['tries', 'int', ({ item: m }) => text(m.after.tries)],
      ['at_ms', 'float8', ({ atMs }) => text(atMs)],
    ],
    write: [
      `update bank_credits t set state = x.state, exception = x.exception, transaction_id = x.transaction_id,
        ${QUEUED_OPEN}
      from x where t.id = x.id`,
    ],
  }),
  kind({
    name: 'deposit',
    fence: { table: 'deposits', key: 'id' },
    itemsOf: (change) => change.deposits,
    columns: [
      ['id', 'text', (m) => m.after.id],
      ['version', 'int', (m) => String(m.version)],
      ['state', 'deposit_state', (m) => m.after.state],
      ['exception', 'text', (m) => m.after.exception],
      ['transaction_id', 'text', (m) => m.after.transactionId],
      ['amount_minor', 'numeric', (m) => text(m.after.amountMinor)],
      ['chain_ms', 'float8', (m) => text(m.after.chainAtMs)],
      ['due_ms', 'float8', (m) => text(m.after.dueAtMs)],
      ['tries', 'int', (m) => text(m.after.tries)],
    ],
    write: [
      `update deposits t set state = x.state, exception = x.exception, transaction_id = x.transaction_id,
        amount_minor = x.amount_minor, chain_at = ${time('chain_ms')}, ${QUEUED}
      from x where t.id = x.id`,
    ],
  }),
  kind({
    name: 'movement',
    fence: { table: 'movements', key: 'id' },
    itemsOf: (change) => change.movements,
    columns: [
      ['id', 'text', (m) => m.after.id],
      ['version', 'int', (m) => String(m.version)],
      ['state', 'movement_state', (m) => m.after.state],
      ['reason', 'text', (m) => m.after.reason],
      ['destination', 'jsonb', (m) => json(m.after.destination)],
      ['bank_account', 'text', (m) => m.after.bankAccount],
      ['attempts', 'int', (m) => text(m.after.attempts)],
      ['due_ms', 'float8', (m) => text(m.after.dueAtMs)],
      ['tries', 'int', (m) => text(m.after.tries)],
      ['updated_ms', 'float8', (m) => text(m.after.updatedAtMs)],
    ],
    write: [
      `update movements t set state = x.state, reason = x.reason, destination = x.destination, bank_account = x.bank_account,
        attempts = x.attempts, updated_at = ${time('updated_ms')}, ${QUEUED}
      from x where t.id = x.id`,
    ],
  }),
  kind({
    name: 'notice',
    fence: { table: 'bank_notices', key: 'id' },
    itemsOf: (change) => change.notices,
    columns: [
      ['id', 'text', (m) => m.after.id],
      ['version', 'int', (m) => String(m.version)],
      ['state', 'text', (m) => m.after.state],
      ['due_ms', 'float8', (m) => text(m.after.dueAtMs)],
      ['tries', 'int', (m) => text(m.after.tries)],
    ],
    write: [`update bank_notices t set state = x.state, ${QUEUED} from x where t.id = x.id`],
  }),
];

/** Naira that two people booked: each line of a bank statement once, with the decision that allows it. */
export const NAIRA_MOVES: readonly Kind[] = [
  kind({
    name: 'naira_move',
    once: { table: 'naira_moves', by: ['mode', 'kind', 'charge', 'account', 'reference'] },
    itemsOf: ({ nairaMove, decision, atMs }) =>
      nairaMove && [{ ...nairaMove, proposalId: decision!.proposalId, atMs }],
    columns: [
      ['id', 'text', (n) => n.id],
      ['mode', 'text', (n) => n.mode],
      ['kind', 'text', (n) => n.kind],
      ['charge', 'text', (n) => n.charge ?? ''],
      ['account', 'text', (n) => bookName(n.account)],
      ['to_account', 'text', (n) => (n.to === null ? null : bookName(n.to))],
      ['amount_minor', 'bigint', (n) => text(n.nairaMinor)],
      ['day', 'date', (n) => n.day],
      ['reference', 'text', (n) => n.reference],
      ['proposal_id', 'text', (n) => n.proposalId],
      ['at_ms', 'float8', (n) => text(n.atMs)],
    ],
    write: [
      `insert into naira_moves (id, mode, kind, charge, account, to_account, amount_minor, day, reference, proposal_id, at)
      select x.id, x.mode, x.kind, x.charge, x.account, x.to_account, x.amount_minor, x.day, x.reference, x.proposal_id,
        ${time('at_ms')} from x`,
    ],
  }),
];
