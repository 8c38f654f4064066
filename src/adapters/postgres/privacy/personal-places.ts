// The places of customers' personal data: each table with its personal columns, and how each column is erased. The plan, the
// export, the erasure and docs/operate/privacy.md read this list. To add a table, add one entry here and, if it is append-only,
// the trigger `only_erasure` in its migration. other-columns.ts has every other column of the database.
import { FACTS_LINE, timelineLineSql } from '../audit/digests.ts';
import type { PersonalPlace } from './personal-place.ts';

const EVIDENCE = { bank_says: 'name', note: 'text', hits: 'text' } as const;
const REPORTED = {
  key: { id: 'text' },
  columns: {
    payer_account: 'number',
    payer_name: 'name',
    payer_bank_name: 'text',
    narration: 'text',
    raw: 'json',
  },
  onlyIf: { payer_bank_name: 't.payer_bank_code is null' },
  mode: 't.mode',
  bank: 't.payer_bank_code',
} as const;
/** Each part of this SQL uses a different index. */
const MOVEMENTS_OF = `array(
  select id from movements where transaction_id = any ($1) and kind in ('send', 'payout') and state not in ('failed', 'returned')
  union all select id from movements where transaction_id = any ($1) and kind = 'payout' and state = 'failed'
  union all select id from movements where transaction_id = any ($1) and kind = 'payout' and state = 'returned'
  union all select id from movements where transaction_id = any ($1) and kind = 'refund')`;
const OF_MOVEMENT = (column: string) =>
  `(select m.${column} from movements m where m.id = t.movement_id limit 1)`;

const creditSql = (mode: string, source: string, sourceId: string) =>
  `(select c.id from bank_credits c where c.mode = ${mode} and c.source = ${source} and c.source_id = ${sourceId} limit 1)`;
/** The credit that was made from a statement row, or that the row reports. The source id is that of statement-feed.ts. */
const CREDIT_OF_ROW = `coalesce(${creditSql('t.mode', `'statements'`, `t.key || '/' || t.ordinal`)},
  (select r.credit_id from credit_reports r
    where r.mode = t.mode and r.source = 'statements' and r.source_id = t.key || '/' || t.ordinal limit 1))`;
const ROWS_OF_CREDITS = `(t.mode, t.account, t.key, t.ordinal) in (
  select s.mode, coalesce(s.account_bank_code, 'unknown') || ':' || s.account_number,
    split_part(s.source_id, '/', 1), nullif(split_part(s.source_id, '/', 2), '')::integer
  from (select mode, account_bank_code, account_number, source, source_id from bank_credits where id = any ($1)
    union all
    select mode, account_bank_code, account_number, source, source_id from credit_reports where credit_id = any ($1)) s
  where s.source = 'statements' and s.source_id ~ '^[^/#]+/[0-9]+$')`;
/** The id of an event contains the id of its transaction (domain/events/event.ts). */
const TRANSACTION_OF_DELIVERY = `(select x.id from webhook_deliveries d
  join transactions x on x.id = 'txn_' || split_part(d.event_id, '_', 2) where d.id = t.delivery_id limit 1)`;
const MODE_OF_DELIVERY = `(select e.mode from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
  where d.id = t.delivery_id limit 1)`;
const DELIVERIES_OF = `t.delivery_id in (select d.id from transactions x
  join webhook_endpoints e on e.business_id = x.business_id and e.mode = x.mode
  join webhook_deliveries d on d.endpoint_id = e.id
    and d.event_id > 'evt_' || substr(x.id, 5) || '_' and d.event_id < 'evt_' || substr(x.id, 5) || '~'
  where x.id = any ($1))`;

export const PERSONAL_PLACES: readonly PersonalPlace[] = [
  {
    table: 'transactions',
    key: { id: 'text' },
    ids: 'txn',
    columns: { account_number: 'number', account_name: 'name', bank_name: 'text', body_hash: 'text' },
    // A bank is no person; a text that names no known bank may be anything. A line that digests cover changes only once, so a row
    // that an earlier version erased stays as it is.
    onlyIf: { bank_name: `t.bank_code is null and not starts_with(t.account_number, 'h1:')` },
    over: ['transaction', 'id'],
    byLaw: true,
    transaction: 't.id',
    mode: 't.mode',
    bank: 't.bank_code',
    digested: { version: '0', line: FACTS_LINE },
  },
  {
    table: 'timeline',
    key: { transaction_id: 'text', version: 'integer' },
    ids: 'txn',
    columns: { evidence: EVIDENCE },
    over: ['transaction', 'transaction_id'],
    byLaw: true,
    transaction: 't.transaction_id',
    mode: 't.mode',
    digested: { version: 't.version', line: timelineLineSql('t') },
  },
  {
    table: 'account_enquiries',
    key: { transaction_id: 'text' },
    ids: 'txn',
    columns: { bank_says: 'name' },
    over: ['transaction', 'transaction_id'],
    byLaw: true,
    transaction: 't.transaction_id',
    mode: '(select x.mode from transactions x where x.id = t.transaction_id limit 1)',
  },
  {
    table: 'movements',
    key: { id: 'text' },
    ids: 'mov',
    columns: { destination: { accountNumber: 'number', accountName: 'name' }, reason: 'text' },
    // A bank may name the customer in a refusal. Our own note of a replacement decides about the refund.
    onlyIf: { reason: `not starts_with(t.reason, 'replaced by ')` },
    over: ['movement', 'id'],
    byLaw: true,
    transaction: 't.transaction_id',
    ofTransactions: `t.id = any (${MOVEMENTS_OF})`,
    credit: 't.credit_id',
    mode: 't.mode',
    bank: "t.destination ->> 'bankCode'",
    only: 't.network is null',
    raises: 'version',
  },
  {
    table: 'movement_attempts',
    key: { movement_id: 'text', no: 'integer' },
    ids: 'mov',
    columns: { evidence: { bank_says: 'text', reason: 'text', refused: 'text' } },
    over: ['movement', 'movement_id'],
    byLaw: true,
    transaction: OF_MOVEMENT('transaction_id'),
    ofTransactions: `t.movement_id = any (${MOVEMENTS_OF})`,
    credit: OF_MOVEMENT('credit_id'),
    ofCredits: 't.movement_id = any (array(select id from movements where credit_id = any ($1)))',
    mode: 't.mode',
    only: 't.rail is not null',
  },
  {
    ...REPORTED,
    table: 'bank_credits',
    ids: 'crd',
    over: ['credit', 'id'],
    byLaw: true,
    transaction: 't.transaction_id',
    credit: 't.id',
  },
  {
    ...REPORTED,
    table: 'credit_reports',
    ids: 'rpt',
    over: ['report', 'id'],
    byLaw: 't.credit_id is not null',
    credit: 't.credit_id',
  },
  {
    table: 'bank_notices',
    key: { id: 'text' },
    ids: 'ntc',
    columns: { raw: 'json' },
    over: ['notice', 'id'],
    byLaw: true,
    credit: `(select c.id from bank_credits c where c.mode = t.mode and c.source = t.source and c.source_id = t.about limit 1)`,
    ofCredits: `(t.mode, t.source, t.about) in (select c.mode, c.source, c.source_id from bank_credits c where c.id = any ($1))`,
    mode: 't.mode',
  },
  {
    table: 'quarantine',
    key: { id: 'bigint' },
    ids: null,
    time: 'at',
    columns: { raw: 'text' },
    over: ['time', 'at'],
    byLaw: false,
    atOnce: true,
    mode: 't.mode',
  },
  {
    table: 'statement_rows',
    key: { no: 'bigint' },
    ids: null,
    time: 'at',
    columns: {
      narration: 'text',
      reference: 'text',
      payer_name: 'name',
      payer_account: 'number',
      narrated_account: 'number',
      payer_bank_name: 'text',
    },
    over: ['row', 'no'],
    byLaw: `${CREDIT_OF_ROW} is not null`,
    credit: CREDIT_OF_ROW,
    ofCredits: ROWS_OF_CREDITS,
    mode: 't.mode',
  },
  {
    table: 'statement_files',
    key: { id: 'text' },
    ids: 'stf',
    columns: { name: 'text' },
    over: ['file', 'id'],
    byLaw: false,
    atOnce: true,
    mode: 't.mode',
  },
  {
    table: 'request_log',
    key: { business_id: 'text', mode: 'text', request_id: 'text' },
    ids: null,
    time: 'at',
    columns: { body: 'removed', path: 'text' },
    over: ['time', 'at'],
    byLaw: false,
    atOnce: true,
    mode: 't.mode',
    onlyAsked: 'forgotten',
  },
  {
    table: 'webhook_attempts',
    key: { delivery_id: 'text', no: 'integer' },
    ids: null,
    time: 'at',
    columns: { answer: 'removed' },
    over: ['time', 'at'],
    byLaw: false,
    atOnce: true,
    transaction: TRANSACTION_OF_DELIVERY,
    ofTransactions: DELIVERIES_OF,
    mode: MODE_OF_DELIVERY,
    onlyAsked: 'forgotten',
  },
  {
    table: 'rail_events',
    key: { id: 'text' },
    ids: 'rev',
    columns: { body: 'text' },
    over: ['event', 'id'],
    byLaw: false,
    atOnce: true,
    credit: creditSql('t.mode', 't.rail', 't.about'),
    ofCredits: `(t.mode, t.rail, t.about) in (select c.mode, c.source, c.source_id from bank_credits c where c.id = any ($1))`,
    mode: 't.mode',
    onlyAsked: 'forgotten',
  },
  {
    table: 'simulated_statement',
    key: { position: 'bigint' },
    ids: null,
    time: 'reported_at_ms',
    columns: {
      line: {
        payerAccount: 'number',
        payerName: 'name',
        payerBankName: 'text',
        narration: 'text',
        raw: 'text',
      },
    },
    over: ['line', 'position'],
    byLaw: false,
    credit: creditSql(`'test'`, `'simulated'`, 't.source_id'),
    ofCredits: `t.kind = 'credit' and t.source_id in (select c.source_id from bank_credits c
      where c.id = any ($1) and c.mode = 'test' and c.source = 'simulated')`,
    mode: `'test'::text`,
    only: `t.kind = 'credit'`,
    onlyAsked: 'simulated',
  },
  {
    table: 'simulated_payouts',
    key: { reference: 'text' },
    ids: null,
    time: 'at_ms',
    columns: { account_number: 'number' },
    over: ['order', 'reference'],
    byLaw: false,
    transaction: 't.about',
    mode: `'test'::text`,
    bank: 't.bank_code',
    onlyAsked: 'simulated',
  },
];
