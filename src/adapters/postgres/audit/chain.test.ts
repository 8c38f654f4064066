// Tests the hash chain that the database builds: the audit log entries of all writers must form one chain.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { databaseWithKeys, openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { AT, auditEntry, verified } from '../../../../test/support/audit-stage.ts';
import { hashAuditEntry } from '../../../domain/audit/audit-chain.ts';
import { makeBackOffice } from '../back-office/back-office.ts';
import { makePostgresStore } from '../store.ts';
import { makeAuditLog } from './audit-log.ts';
import { appendEntryQuery } from './digests.ts';

const { url, database } = await databaseWithKeys();
const audit = makeAuditLog(database);

async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

test('threat 84: the hash in the database equals the hash that the test computes, for any content', async () => {
  const before = (await audit.head()).no;
  const details = [
    {},
    { big: 2 ** 60, dot: 1.5, list: [null, true, 'Ọ̀'] },
    { b: 1, aa: 2, a: '"\\\n\u0001' },
  ];
  for (const detail of details) {
    await audit.record(auditEntry({ detail, subject: null, businessId: null }));
    await audit.record(auditEntry({ detail, actor: 'os:Ọlá', subject: '3:abc,', businessId: '-,' }));
  }
  await database.query({
    text: `insert into audit_log (at, actor, action, detail)
      values ('2026-11-14 10:30:00.123456+01', 'x', 'y', '{"n": 1.00, "m": 12345678901234567890}')`,
  });
  const entries = await audit.entriesFrom(before + 1, 100);
  assert.equal(entries.length, 7);
  for (const entry of entries) assert.equal(hashAuditEntry(entry), entry.hash);
  assert.equal(entries.at(-1)!.at, '2026-11-14T09:30:00.123456Z');
  const { rows } = await database.query({
    text: 'select from audit_log l where hash <> audit_hash(l)',
  });
  assert.equal(rows.length, 0);
});

test('entries have different hashes if text moves from one field to the next, or if a missing field becomes an empty one', async () => {
  const base = { no: 1, hash: '', at: 'x', actor: 'a', action: 'b', detail: '{}', previousHash: '00' };
  const hashes = [
    { subject: 'ab', businessId: 'c' },
    { subject: 'a', businessId: 'bc' },
    { subject: null, businessId: 'abc' },
    { subject: '', businessId: 'abc' },
    { subject: 'abc', businessId: null },
  ].map((fields) => hashAuditEntry({ ...base, ...fields }));
  assert.equal(new Set(hashes).size, hashes.length);
});

test('threat 84: a writer cannot choose the number, the position or the hash of an entry', async () => {
  const { no, hash } = await audit.head();
  await database.query({
    text: `insert into audit_log (no, at, actor, action, detail, previous_hash, hash)
      values (1, now(), 'per_eve', 'x', '{}', '\\x00', '\\x01')`,
  });
  const [entry] = await audit.entriesFrom(no + 1, 1);
  assert.equal(entry!.previousHash, hash);
  assert.equal(entry!.hash, hashAuditEntry(entry!));
});

test('threat 84: eight connections append 200 entries each, with rollbacks and pairs in one transaction, and the chain has no gap', async () => {
  const { no: before } = await audit.head();
  let kept = 0;
  await Promise.all(
    Array.from({ length: 8 }, (_, writer) =>
      connected(async (client) => {
        await client.query('set synchronous_commit = off');
        for (let round = 0; round < 200; round++) {
          const entry = auditEntry({ subject: `${writer} ${round}` });
          const undone = round % 10 === 3;
          const rows = round % 10 === 5 ? 2 : 1;
          await client.query('begin');
          await client.query(appendEntryQuery(entry));
          if (rows === 2) await client.query(appendEntryQuery(entry));
          await client.query(undone ? 'rollback' : 'commit');
          if (!undone) kept += rows;
        }
      }),
    ),
  );
  const { head, finding } = await verified(database);
  assert.equal(finding, undefined);
  assert.equal(head.no, before + kept);
});

test('the rows of one statement are chained in their order', async () => {
  const { no: before } = await audit.head();
  await database.query({
    text: `insert into audit_log (at, actor, action, subject, detail)
      select now(), 'service:test', 'many', i::text, '{}' from generate_series(1, 100) as s(i) order by s.i`,
  });
  const subjects = (await audit.entriesFrom(before + 1, 200)).map(({ subject }) => subject);
  assert.deepEqual(
    subjects,
    Array.from({ length: 100 }, (_, index) => String(index + 1)),
  );
  assert.equal((await verified(database)).finding, undefined);
});

test('a writer with a stricter isolation level that read an older head fails, so the chain does not fork', async () => {
  await connected(async (client) => {
    await client.query('begin isolation level repeatable read');
    await client.query('select from audit_head');
    await audit.record(auditEntry());
    await assert.rejects(client.query(appendEntryQuery(auditEntry())), { code: '40001' });
  });
  assert.equal((await verified(database)).finding, undefined);
});

test('concurrent writers of the back office, of settlement and others wait for each other and never deadlock', async () => {
  const wide = openTestDatabase(url, 12);
  const store = makePostgresStore(wide);
  const backOffice = makeBackOffice(wide);
  const opened = (id: string) => ({
    atMs: AT,
    openCase: {
      ...{ id, kind: 'payment_reversed', mode: 'test', businessId: 'biz_fixture', amountMinor: 5n },
      ...{ transactionId: null, creditId: null },
    },
    freeze: { businessId: id, mode: 'test', reason: 'reversed' },
  });
  const { no: before } = await audit.head();
  const work = Array.from({ length: 40 }, (_, n) => [
    backOffice.setMovementsPaused(n % 2 === 0, 'test', { actor: 'os:ada', atMs: AT }),
    store.commit([opened(`cas_${n}a`), opened(`cas_${n}b`)] as never),
    audit.record(auditEntry()),
  ]).flat();
  for (const outcome of await Promise.all(work))
    if (Array.isArray(outcome)) assert.deepEqual(outcome, [{ kind: 'committed' }, { kind: 'committed' }]);
  const { head, finding } = await verified(database);
  assert.equal(finding, undefined);
  assert.equal(head.no, before + 40 * 6);
});
