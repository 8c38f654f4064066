// Tests that the operator log of earlier versions becomes the beginning of the audit log.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { auditEntry, verified } from '../../../../test/support/audit-stage.ts';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { afterFile } from '../../../../test/support/sharing/file-group.ts';
import { migrate } from '../connection/migrate.ts';
import { makeAuditLog } from './audit-log.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../../migrations');

test('threat 84: entries of the old operator log are copied in their order and chained', async () => {
  const { url, connection } = await emptyDatabase();
  const before = mkdtempSync(path.join(tmpdir(), 'sliproad-migrations-'));
  afterFile(() => rmSync(before, { recursive: true, force: true }));
  for (const name of readdirSync(MIGRATIONS).filter((each) => each < '0010'))
    cpSync(path.join(MIGRATIONS, name), path.join(before, name));
  await migrate(connection, before);
  const database = openTestDatabase(url);
  await database.query({
    text: `insert into operator_log (at, actor, action, detail)
      select to_timestamp(1000 - n), 'cli:ada', 'fee_added', jsonb_build_object('businessId', 'biz_' || n, 'n', n)
      from generate_series(1, 500) as s(n) order by s.n`,
  });
  await migrate(connection);
  const audit = makeAuditLog(database);
  const entries = await audit.entriesFrom(1, 1000);
  assert.deepEqual(
    entries.map(({ businessId }) => businessId),
    Array.from({ length: 500 }, (_, n) => `biz_${n + 1}`),
  );
  assert.deepEqual(
    [entries[0]!.actor, entries[0]!.action, entries[0]!.detail],
    ['cli:ada', 'fee_added', '{"n": 1, "businessId": "biz_1"}'],
  );
  assert.equal((await verified(database)).finding, undefined);
  await audit.record(auditEntry());
  const { head, finding } = await verified(database);
  assert.deepEqual([head.no, finding], [501, undefined]);
  await assert.rejects(database.query({ text: 'select from operator_log' }), /does not exist/);
});
