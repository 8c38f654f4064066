// Tests how much the operator's pages read. A page about an account, a network, withdrawals or the audit log reads one page of
// rows. The length of the tables and the number of matching rows must not matter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithKeys } from '../../../../test/http/store-fixtures.ts';
import { blocksRead } from '../../../../test/support/blocks-read.ts';
import { makeAuditLog } from '../audit/audit-log.ts';
import type { Database } from '../connection/database.ts';
import { makeTreasuryStore } from '../treasury/treasury-store.ts';
import { makeLedgerBook } from './book.ts';

const { database } = await databaseWithKeys();
const ENTRIES = 20_000;
const FIRST_RARE = 100;

const { rows: accounts } = await database.query<{ id: number }>({
  text: `insert into accounts (key, mode, asset, name, side) values
    ('test/NGN/bank_out', 'test', 'NGN', 'bank_out', 'debit'), ('test/NGN/capital', 'test', 'NGN', 'capital', 'credit'),
    ('test/NGN/losses', 'test', 'NGN', 'losses', 'debit'), ('test/NGN/written_off', 'test', 'NGN', 'written_off', 'credit')
    returning id`,
});
const [busy, rare] = [accounts[0]!.id, accounts[2]!.id];
await database.query({
  text: `insert into entries (id, mode, event, subject_id, at)
    select n, 'test', 'float_funded', 'txn_' || n, to_timestamp(n) from generate_series(1, ${ENTRIES}) n`,
});
await database.query({
  text: `insert into postings (entry_id, account_id, amount_minor)
    select n, case when n = ${FIRST_RARE} then a.rare else a.busy end, a.amount from generate_series(1, ${ENTRIES}) n,
      (values ($1::int, $3::int, 5), ($2::int, $4::int, -5)) a(busy, rare, amount)`,
  values: accounts.map(({ id }) => id),
});
await database.query({
  text: `insert into movements (id, kind, mode, network, asset, amount_minor, naira_minor, state, version, created_at, updated_at)
    select 'mov_' || lpad(n::text, 8, '0'), case when n = 7 then 'withdrawal' else 'send' end, 'test',
      case when n = 7 then 'Solana' else 'Polygon' end, 'NGNC', 1, 1, 'done', 1, now(), now()
    from generate_series(1, ${ENTRIES}) n`,
});
await database.query({ text: 'analyze entries, postings, movements, audit_log' });

const measured = <T>(work: (database: Database) => Promise<T>) => blocksRead(database, work);

test('the cost of a page depends only on the number of rows shown, for accounts with many entries and with few', async () => {
  const middle = 10_000n;
  const page = await measured((given) => makeLedgerBook(given).postings(busy, middle, 50));
  assert.deepEqual([page.answer.length, page.answer[0]!.id, page.answer[49]!.id], [50, 9_999n, 9_950n]);
  assert.ok(page.read <= 250, `${page.read} blocks`);
  const all = await measured((given) => makeLedgerBook(given).postings(rare, null, 50));
  assert.deepEqual(
    all.answer.map(({ id, amountMinor }) => [id, amountMinor]),
    [[BigInt(FIRST_RARE), 5n]],
  );
  assert.ok(all.read <= 20, `${all.read} blocks`);
});

test('an entry is read by its number', async () => {
  const { answer, read } = await measured((given) => makeLedgerBook(given).entry(7_777n));
  assert.equal(answer!.postings.length, 2);
  assert.ok(read <= 30, `${read} blocks`);
});

test('the last movements of a quiet network and an old withdrawal are found with few reads', async () => {
  const desk = (given: Database) => makeTreasuryStore(given, () => undefined);
  const quiet = await measured((given) => desk(given).lastMovements('test', 'Solana', 10));
  const withdrawals = await measured((given) => desk(given).lastWithdrawals('test', 10));
  for (const { answer, read } of [quiet, withdrawals]) {
    assert.deepEqual(
      answer.map(({ id }) => id),
      ['mov_00000007'],
    );
    assert.ok(read <= 20, `${read} blocks`);
  }
  const busyOne = await measured((given) => desk(given).lastMovements('test', 'Polygon', 10));
  assert.deepEqual([busyOne.answer.length, busyOne.answer[0]!.id], [10, 'mov_00020000']);
  assert.ok(busyOne.read <= 30, `${busyOne.read} blocks`);
});

test('rare actions are found in a long audit log with few reads', async () => {
  const fill = `do $$ begin for i in 1..200 loop
    insert into audit_log (at, actor, action, subject, business_id, detail)
    values (now(), 'service:test', 'test.filled', null, null, '{}'); end loop; end $$`;
  const audit = makeAuditLog(database);
  const entry = { actor: 'service:test', atMs: 0, subject: null, businessId: null, detail: {} };
  await audit.record({ ...entry, action: 'movements_paused' });
  for (let batch = 0; batch < 10; batch++) await database.query({ text: fill });
  const found = await measured((given) =>
    makeAuditLog(given).newestOf(['movements_paused', 'freeze_lifted'], null, 50),
  );
  assert.deepEqual(
    found.answer.map(({ action }) => action),
    ['movements_paused'],
  );
  assert.ok(found.read <= 30, `${found.read} blocks`);
});
