// Tests that reports and bookings are append-only. The database allows one kind of change: a hash may replace personal data of
// finished records.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMITTED, FUNDING, matching, recordingIn } from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys } from '../../../../test/http/store-fixtures.ts';
import type { BankCredit } from '../../../domain/records/credit.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import { makePostgresStore } from '../store.ts';

const { database } = await databaseWithKeys();
const store = makePostgresStore(database);
assert.deepEqual(await store.commit([FUNDING]), [COMMITTED]);
const { pairs } = recordingIn(database, store);

test('threat 84: reports and bookings are append-only', async () => {
  const [[buy, paid]] = (await pairs(1)) as [[Transaction, BankCredit]];
  assert.deepEqual(await store.commit([matching(buy, paid)]), [COMMITTED]);
  const facts = ['id', 'mode', 'source', 'source_id', 'account_number', 'account_bank_code', 'amount_minor'];
  facts.push('payer_bank_code', 'session_id', 'session_key', 'source_version', 'balance_minor');
  facts.push('value_at', 'received_at', 'parent_id');
  const texts = facts.map((column) => `update bank_credits set ${column} = ${column}`);
  // For a finished record, the database lets a hash replace personal data. It refuses every other change.
  for (const column of ['payer_account', 'payer_name', 'payer_bank_name', 'narration'])
    texts.push(`update bank_credits set ${column} = 'another'`);
  texts.push(`update bank_credits set raw = '{"another": 1}'`);
  for (const [table, column] of [
    ['timeline', 'reason'],
    ['entries', 'event'],
    ['postings', 'amount_minor'],
    ['match_decisions', 'actor'],
  ]) {
    const other = table === 'timeline' ? `${column} || 'x'` : column;
    texts.push(`update ${table} set ${column} = ${other}`, `delete from ${table}`, `truncate ${table}`);
  }
  texts.push('delete from bank_credits', 'truncate bank_credits');
  for (const text of texts) await assert.rejects(database.query({ text }), /append-only/, text);
  await database.query({ text: 'update bank_credits set due_at = null where id = $1', values: [paid.id] });
});
