// Tests how much the operator's pages read. A search by an exact key reads a few blocks for records of any age. A search by
// name stops after the newest rows and reports this. The counts of waiting items do not grow with finished work.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type pg from 'pg';
import { BUSINESS, databaseWithKeys, openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { blocksRead } from '../../../../test/support/blocks-read.ts';
import { superuserUrl } from '../../../../test/support/database.ts';
import type { Database } from '../connection/database.ts';
import { makeOperationsStore } from './operations-store.ts';
import { MOST_NEWEST_ROWS } from './search-sql.ts';

const { database, url } = await databaseWithKeys();
const ROWS = MOST_NEWEST_ROWS + 5_000;
const measured = <T>(work: (desk: ReturnType<typeof makeOperationsStore>) => Promise<T>) =>
  blocksRead(database, (given: Database) => work(makeOperationsStore(given)));
const terms = (text: string, amountMinor: bigint | null = null) => ({
  ...{ text, amountMinor, networks: ['Polygon', 'Solana'], limit: 10 },
});
const id = (n: number) => `txn_${String(n).padStart(26, '0')}`;

/** The row checks of triggers are disabled, because they take most of the time and these tests do not need them. */
async function fill(client: pg.ClientBase): Promise<void> {
  await client.query('set local session_replication_role = replica');
  const padded = `lpad(n::text, 26, '0')`;
  const facts = `'test', 'buy', now() - (${ROWS} - n) * interval '1 second'`;
  await client.query(
    `insert into transactions (id, business_id, mode, type, created_at, reference, link_tag, amount_minor, fee_minor, account_number,
        account_name, bank_name, flags, vendor_id, body_hash, key_id, expires_at)
      select 'txn_' || ${padded}, '${BUSINESS}', ${facts}, 'order-' || n, 'fixture', 1000 + n, 0, lpad(n::text, 10, '0'),
        case when n = 1 then 'Oldest Person' when n = ${ROWS} then 'Newest Person' else 'Customer ' || n end,
        'GTBank', '{}', 'vnd', 'x', 'key', now()
      from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into transaction_states (transaction_id, business_id, mode, type, created_at, state, version, updated_at)
      select 'txn_' || ${padded}, '${BUSINESS}', ${facts}, 'completed', 5, now() from generate_series(1, ${ROWS}) n`,
  );
  await client.query(
    `insert into bank_credits (id, mode, source, source_id, account_number, amount_minor, payer_name, value_at, received_at, raw,
        state, transaction_id, version)
      select 'crd_' || ${padded}, 'test', 'bank', 'line-' || n, '9900000011', 1000 + n, 'Payer ' || n, now(), now(), '{}',
        'matched', 'txn_' || ${padded}, 2
      from generate_series(1, ${ROWS}) n`,
  );
}

before(async () => {
  await openTestDatabase(superuserUrl(url), 1).transaction(fill);
  await database.query({ text: 'analyze transactions, transaction_states, bank_credits' });
});

test('ids and references of any age are found by index', async () => {
  for (const text of [id(1), 'order-1']) {
    const { answer, read } = await measured((desk) =>
      desk.searchTransactions({ mode: 'test', businessId: null }, terms(text)),
    );
    // A reference with letters may also be a name, so the search also reads the newest rows.
    const most = text === 'order-1' ? 6_000 : 200;
    assert.deepEqual([answer.found[0]?.id, read <= most], [id(1), true], `${text}: ${read} blocks`);
  }
  const { answer, read } = await measured((desk) => desk.searchCredits('test', terms('line-1')));
  assert.equal(answer.found.at(-1)?.sourceId, 'line-1');
  assert.ok(read <= 6_000, `${read} blocks`);
});

test('names and amounts are found among the newest rows, and the result says how far back it searched', async () => {
  const scope = { mode: 'test', businessId: null } as const;
  const newest = await measured((desk) => desk.searchTransactions(scope, terms('newest person')));
  const oldest = await measured((desk) => desk.searchTransactions(scope, terms('oldest person')));
  const amount = await measured((desk) => desk.searchTransactions(scope, terms('x', 1_000n + BigInt(ROWS))));
  assert.deepEqual(
    newest.answer.found.map((each) => each.id),
    [id(ROWS)],
  );
  assert.deepEqual(
    amount.answer.found.map((each) => each.id),
    [id(ROWS)],
  );
  assert.deepEqual(oldest.answer.found, []);
  assert.ok(
    oldest.answer.backToMs !== null && oldest.answer.backToMs < Date.now() - (MOST_NEWEST_ROWS - 100) * 1_000,
  );
  for (const { read } of [newest, oldest, amount]) assert.ok(read <= 6_000, `${read} blocks`);
});

test('a member’s search reads only the newest rows of their own business', async () => {
  const scope = { mode: 'test', businessId: BUSINESS } as const;
  const own = await measured((desk) => desk.searchTransactions(scope, terms('newest person')));
  assert.deepEqual(
    own.answer.found.map((each) => each.id),
    [id(ROWS)],
  );
  assert.ok(own.read <= 11_000, `${own.read} blocks`);
  const other = { mode: 'test', businessId: 'biz_other' } as const;
  const nothing = await measured((desk) => desk.searchTransactions(other, terms(id(1))));
  assert.deepEqual(nothing.answer.found, []);
});

test('the cost of the attention list, of the change marks and of a page of businesses does not grow with finished work', async () => {
  const waiting = await measured((desk) => desk.waiting('test', Date.now(), 900_000));
  assert.deepEqual(waiting.answer, []);
  assert.ok(waiting.read <= 200, `waiting: ${waiting.read} blocks`);
  const marks = await measured((desk) => desk.marks());
  assert.ok(marks.read <= 100, `marks: ${marks.read} blocks`);
  const filter = { mode: 'test', sinceMs: 0, after: null, limit: 50 } as const;
  const businesses = await measured((desk) => desk.listBusinesses(filter));
  assert.deepEqual([businesses.answer[0]?.volume.count, businesses.answer[0]?.volume.more], [1_000, true]);
  assert.ok(businesses.read <= 6_000, `businesses: ${businesses.read} blocks`);
});
