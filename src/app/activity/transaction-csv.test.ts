// The export of transactions shows each time in UTC, as the API does, and in Lagos, as bank statements do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TRANSACTION_CSV_HEAD, transactionCsvRow } from './find-transactions.ts';

test('the last columns are the times in Lagos, where a late evening in UTC is the next day', () => {
  const row = transactionCsvRow({
    ...{ transaction_id: 'txn_1', created_at: '2026-11-30T23:30:05.123Z' },
    ...{ updated_at: '2026-12-01T00:00:00Z', expires_at: null },
  });
  const names = TRANSACTION_CSV_HEAD.split(',');
  const cells = row.split(',');
  assert.equal(cells.length, names.length);
  assert.deepEqual(names.slice(-3), ['created_at_lagos', 'updated_at_lagos', 'expires_at_lagos']);
  assert.deepEqual(cells.slice(-3), ['2026-12-01 00:30:05', '2026-12-01 01:00:00', '']);
  assert.equal(cells[names.indexOf('created_at')], '2026-11-30T23:30:05.123Z');
});
