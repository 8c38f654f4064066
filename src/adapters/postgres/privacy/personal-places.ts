// The places of customers' personal data: each table with its personal columns, and how each column is erased. To add a table,
// add one entry here and, if it is append-only, the trigger `only_erasure` in its migration; docs/operate/privacy.md lists these
// places.
import type { HashKind } from '../../../domain/privacy/person-query.ts';
import type { IdPrefix } from '../../../domain/values/ids.ts';
import { FACTS_LINE, timelineLineSql } from '../audit/digests.ts';

/** `json`: the whole value becomes one hash. `removed`: it becomes null. An object: only the values of its keys become hashes. */
export type ErasureMethod = HashKind | 'json' | 'removed' | Readonly<Record<string, HashKind>>;

export interface PersonalPlace {
  readonly table: string;
  /** The primary key with its types. The worker processes the table in this order. */
  readonly key: Readonly<Record<string, 'text' | 'integer' | 'bigint'>>;
  /** The prefix of the ids, if ids contain their time and are the first key column; null if the time is in the column `at`. */
  readonly ids: IdPrefix | null;
  readonly columns: Readonly<Record<string, ErasureMethod>>;
  /** The arguments of over_since (migrations) for a row: the kind, and the column. */
  readonly over: readonly [
    kind: 'transaction' | 'credit' | 'movement' | 'report' | 'notice' | 'time',
    column: string,
  ];
  /** SQL on a row `t`: its records, its mode, and the bank of its account number. */
  readonly transaction?: string;
  readonly credit?: string;
  /** SQL that finds rows by transactions or credits ($1) with an index, if the column itself has none. */
  readonly ofTransactions?: string;
  readonly ofCredits?: string;
  readonly mode: string;
  readonly bank?: string;
  /** SQL condition: only these rows hold personal data. */
  readonly only?: string;
  /** The erasure also raises this column, so that a writer with older data cannot overwrite the erased row. */
  readonly raises?: 'version';
  /** The content that activity digests cover: the version of the row, and its line. */
  readonly digested?: { readonly version: string; readonly line: string };
  /** Another worker deletes these rows after some days, so they are erased here only for a request about one person. */
  readonly forgotten?: true;
}

const EVIDENCE = { bank_says: 'name', note: 'text', hits: 'text' } as const;
/** Data that a source reported about an incoming payment. */
const REPORTED = {
  key: { id: 'text' },
  columns: { payer_account: 'number', payer_name: 'name', narration: 'text', raw: 'json' },
  mode: 't.mode',
  bank: 't.payer_bank_code',
} as const;
/** Each part uses a different index. */
const MOVEMENTS_OF = `array(
  select id from movements where transaction_id = any ($1) and kind in ('send', 'payout') and state not in ('failed', 'returned')
  union all select id from movements where transaction_id = any ($1) and kind = 'payout' and state = 'failed'
  union all select id from movements where transaction_id = any ($1) and kind = 'payout' and state = 'returned'
  union all select id from movements where transaction_id = any ($1) and kind = 'refund')`;
const OF_MOVEMENT = (column: string) =>
  `(select m.${column} from movements m where m.id = t.movement_id limit 1)`;

export const PERSONAL_PLACES: readonly PersonalPlace[] = [
  {
    table: 'transactions',
    key: { id: 'text' },
    ids: 'txn',
    columns: { account_number: 'number', account_name: 'name', body_hash: 'text' },
    over: ['transaction', 'id'],
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
    transaction: 't.transaction_id',
    mode: '(select x.mode from transactions x where x.id = t.transaction_id limit 1)',
  },
  {
    table: 'movements',
    key: { id: 'text' },
    ids: 'mov',
    columns: { destination: { accountNumber: 'number', accountName: 'name' } },
    over: ['movement', 'id'],
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
    columns: { evidence: { bank_says: 'text', reason: 'text' } },
    over: ['movement', 'movement_id'],
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
    transaction: 't.transaction_id',
    credit: 't.id',
  },
  {
    ...REPORTED,
    table: 'credit_reports',
    ids: 'rpt',
    over: ['report', 'id'],
    credit: 't.credit_id',
  },
  {
    table: 'bank_notices',
    key: { id: 'text' },
    ids: 'ntc',
    columns: { raw: 'json' },
    over: ['notice', 'id'],
    credit: `(select c.id from bank_credits c where c.mode = t.mode and c.source = t.source and c.source_id = t.about limit 1)`,
    ofCredits: `(t.mode, t.source, t.about) in (select c.mode, c.source, c.source_id from bank_credits c where c.id = any ($1))`,
    mode: 't.mode',
  },
  {
    table: 'quarantine',
    key: { id: 'bigint' },
    ids: null,
    columns: { raw: 'text' },
    over: ['time', 'at'],
    mode: 't.mode',
  },
  {
    table: 'statement_rows',
    key: { no: 'bigint' },
    ids: null,
    columns: {
      ...{ narration: 'text', reference: 'text', payer_name: 'name' },
      ...{ payer_account: 'number', narrated_account: 'number' },
    },
    over: ['time', 'at'],
    mode: 't.mode',
  },
  {
    table: 'request_log',
    key: { business_id: 'text', mode: 'text', request_id: 'text' },
    ids: null,
    columns: { body: 'removed', path: 'text' },
    over: ['time', 'at'],
    mode: 't.mode',
    forgotten: true,
  },
];

/** Tables with personal data that this service does not erase. docs/operate/privacy.md gives the reasons. */
export const KEPT_TABLES: Readonly<Record<string, readonly string[]>> = {
  travel_rule_records: ['sealed'],
  audit_log: ['detail'],
  proposals: ['detail'],
};

/** Tables whose rows are deleted with their transaction. */
export const DELETED_TABLES: Readonly<Record<string, readonly string[]>> = {
  open_claims: ['account_number'],
};
