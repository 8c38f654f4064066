// Migration 11: which payouts came back before it is found out from what is stored, so that none of them comes back again.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { migrate } from '../connection/migrate.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../../migrations');

test('what came back before is remembered with its first case, and cannot come back again', async () => {
  const { url, connection } = await emptyDatabase();
  const client = new pg.Client({ connectionString: url });
  // Ends with the database that is dropped under it.
  client.on('error', () => undefined);
  const directory = mkdtempSync(path.join(tmpdir(), 'sliproad-migrations-'));
  after(() => rmSync(directory, { recursive: true, force: true }));
  for (const file of readdirSync(MIGRATIONS).filter((each) => each < '0011'))
    copyFileSync(path.join(MIGRATIONS, file), path.join(directory, file));
  await migrate(connection, directory);
  await client.connect();
  await client.query(`
    insert into movements (id, kind, mode, asset, amount_minor, naira_minor, transaction_id, state, version, created_at, updated_at)
      values ('mov_sell', 'payout', 'test', 'NGN', 500, 500, 'txn_1', 'done', 1, now(), now()),
        ('mov_back', 'refund', 'test', 'NGN', 700, 700, null, 'done', 1, now(), now()),
        ('mov_kept', 'payout', 'test', 'NGN', 500, 500, 'txn_2', 'done', 1, now(), now());
    insert into bank_notices (id, mode, source, source_id, kind, about, amount_minor, received_at, raw, state, version)
      select 'ntc_' || s, 'test', 'bank', s, 'payout_returned', about, amount, now(), '{}', 'done', 1
      from (values ('a', 'mov-sell', 500), ('b', 'mov-back', 700), ('c', 'mov-back', 700)) as reported (s, about, amount);
    insert into cases (id, kind, mode, transaction_id, amount_minor, opened_at, closed_at)
      values ('cas_1', 'payout_returned', 'test', 'txn_1', 500, '2026-01-01', '2026-01-02'),
        ('cas_2', 'payout_returned', 'test', null, 700, '2026-01-01', null),
        -- Booked twice, as it could be then.
        ('cas_3', 'payout_returned', 'test', null, 700, '2026-01-03', null),
        ('cas_4', 'credit_reversed', 'test', 'txn_2', 500, '2026-01-01', null)`);
  await migrate(connection);
  const { rows } = await client.query('select id, movement_id from cases order by id');
  assert.deepEqual(rows, [
    { id: 'cas_1', movement_id: 'mov_sell' },
    { id: 'cas_2', movement_id: 'mov_back' },
    { id: 'cas_3', movement_id: null },
    { id: 'cas_4', movement_id: null },
  ]);
  const again = `insert into cases (id, kind, mode, amount_minor, opened_at, movement_id)
    values ('cas_5', 'payout_returned', 'test', 700, now(), 'mov_back')`;
  await assert.rejects(client.query(again), /cases_one_return/);
  await client.end();
});
