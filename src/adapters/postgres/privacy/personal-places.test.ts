// Every column that may hold personal data of a customer is in the list of places, or is listed here as a column without such
// data. docs/operate/privacy.md must match the list.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { databaseWithKeys } from '../../../../test/http/store-fixtures.ts';
import { DELETED_TABLES, KEPT_TABLES, PERSONAL_PLACES } from './personal-places.ts';

const { database } = await databaseWithKeys();

/** Names of columns with personal data. */
const PERSONAL =
  /name|account|number|payer|narration|raw|destination|says|evidence|body|note|detail|line|beneficiary|sender|email|address|answer|sealed|description/;
/** Column types that can hold any data. */
const ANYTHING = ['jsonb', 'json'];

/** Columns without personal data of a customer, by their content. */
const NONE: Readonly<Record<string, readonly string[]>> = {
  'the operator, its people and their sessions': [
    ...[
      'people.*',
      'operator_roles.*',
      'memberships.*',
      'invitations.*',
      'sign_ups.*',
      'mails.*',
      'password_reset_*',
    ],
    ...[
      'sessions.*',
      'sign_ins.*',
      'passkeys.*',
      'provided_identities.*',
      'totp_secrets.*',
      'webhook_secrets.*',
    ],
  ],
  'businesses, vendors, banks and settings of the operator': [
    ...[
      'businesses.*',
      'business_wallets.*',
      'vendors.*',
      'controls.*',
      'rail_routes.*',
      'rail_caps.*',
      'rail_pauses.*',
      'rail_health.*',
      'rail_events.about',
      'rate_*',
      'desk_prices.*',
      'spreads.*',
    ],
    ...['quotes.*', 'credit_sources.*', 'api_keys.*', 'naira_moves.*', 'log_readers.*', 'feeds.*'],
    ...[
      'transactions.bank_name',
      'transactions.vendor_*',
      'open_claims.vendor_number',
      'transactions.deposits',
    ],
    ...[
      'bank_credits.account_*',
      'credit_reports.account_*',
      'bank_credits.payer_bank_*',
      'credit_reports.payer_bank_*',
    ],
    ...['movements.bank_account', 'account_events.*', 'account_question_turns.*', 'webhook_endpoints.*'],
  ],
  'our own books and accounts': [
    ...['accounts.*', 'postings.*', 'entries.*', 'ledger_checks.*', 'reconciliations.*', 'daily_turns.*'],
    ...[
      'reconciliation_items.account',
      'reconciliation_items.facts',
      'statement_files.*',
      'statement_days.*',
    ],
    ...['statement_rows.account', 'statement_rows.line', 'statement_rows.payer_bank_name'],
  ],
  'what a rail sent, for 30 days, or 180 while people look at it': ['rail_events.body'],
  'networks and wallets: public on the chain': [
    ...[
      'transaction_states.wallet_address',
      'timeline.wallet_address',
      'deposits.*',
      'deposit_targets.*',
      'movement_attempts.orders',
    ],
    ...['outflow_*', 'set_ups.*', 'signing_*'],
  ],
  'yes or no': ['proposal_decisions.withdrawn', 'request_log.body_truncated'],
  'ids, scores and reasons': ['match_decisions.*'],
  'what an endpoint of a business answered, for 30 days': ['webhook_attempts.answer'],
  'the simulated outside of test mode, whose people testers invent': ['simulated_*'],
  'what erasure itself keeps': ['erased_lines.*'],
};

test('every column that may hold personal data is in the list of places, or is known to hold none', async () => {
  const { rows } = await database.query<{ table: string; column: string; type: string }>({
    text: `select table_name::text as table, column_name::text as column, data_type::text as type
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_migrations'`,
  });
  const known = new Set([
    ...PERSONAL_PLACES.flatMap(({ table, columns }) =>
      Object.keys(columns).map((name) => `${table}.${name}`),
    ),
    ...Object.entries({ ...KEPT_TABLES, ...DELETED_TABLES }).flatMap(([table, columns]) =>
      columns.map((name) => `${table}.${name}`),
    ),
  ]);
  const none = Object.values(NONE).flat();
  const isNone = (name: string) =>
    none.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name));
  const all = rows.map(({ table, column }) => `${table}.${column}`);
  const unknown = rows
    .filter(({ column, type }) => PERSONAL.test(column) || ANYTHING.includes(type))
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !known.has(name) && !isNone(name));
  assert.deepEqual(
    unknown,
    [],
    'add it to PERSONAL_PLACES in personal-places.ts, or say here that it holds no personal data',
  );
  const covers = (each: string, name: string) =>
    each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : each === name;
  assert.deepEqual(
    none.filter((each) => !all.some((name) => covers(each, name))),
    [],
    'names without a column',
  );
  assert.deepEqual(
    [...known].filter((name) => !all.includes(name)),
    [],
    'columns that do not exist',
  );
});

test('the documentation of personal data lists exactly the places and columns of the code', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/operate/privacy.md'), 'utf8');
  const table = /\n## Where personal data is\n(.*?)\n## /s.exec(page)![1]!;
  const listed = [...table.matchAll(/^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|/gm)].map(
    ([, name, columns, what]) => [
      name,
      [...columns!.matchAll(/`([\w.]+)`/g)].map(([, column]) => column),
      what!.trim().split(/[ :]/)[0],
    ],
  );
  const columnsOf = (columns: (typeof PERSONAL_PLACES)[number]['columns']) =>
    Object.entries(columns).flatMap(([name, how]) =>
      typeof how === 'object' ? Object.keys(how).map((key) => `${name}.${key}`) : [name],
    );
  const expected = [
    ...PERSONAL_PLACES.map(({ table: name, columns, forgotten }) => [
      name,
      columnsOf(columns),
      forgotten ? 'forgotten' : 'hashed',
    ]),
    ...Object.entries(DELETED_TABLES).map(([name, columns]) => [name, columns, 'deleted']),
    ...Object.entries(KEPT_TABLES).map(([name, columns]) => [name, columns, 'kept']),
  ];
  assert.deepEqual(listed, expected);
});
