// Tests reports in a commit. Each report is stored once per source, is read back unchanged, and is changed only from its newest
// version.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMITTED, credit, STALE } from '../../../../test/http/settlement-fixtures.ts';
import { databaseWithKeys, NOW, openTestDatabase } from '../../../../test/http/store-fixtures.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { CreditReport } from '../../../domain/records/credit.ts';
import { makePostgresStore } from '../store.ts';

const { url, database } = await databaseWithKeys();
const store = makePostgresStore(database);
const other = makePostgresStore(openTestDatabase(url));

function report(): CreditReport {
  const { parentId, exception, transactionId, ...reported } = credit();
  return { ...reported, balanceMinor: 9n, state: 'waiting', creditId: null, isRepeat: false };
}
const stored = ({ mode, source, sourceId }: CreditReport) => store.findReport(mode, source, sourceId);
const adding = (...newReports: readonly CreditReport[]): Change => ({ atMs: NOW, newReports });
const moving = (of: CreditReport, updates: Partial<CreditReport>): Change => ({
  ...{ atMs: NOW, reports: [makeMove(of, updates)] },
});

test('a report is read back as it was stored and as it was moved, and a line of a source is stored once', async () => {
  const given = report();
  assert.deepEqual(await store.commit([adding(given)]), [COMMITTED]);
  assert.deepEqual(await stored(given), given);
  assert.deepEqual(await store.commit([adding({ ...report(), sourceId: given.sourceId })]), [STALE]);
  const linked = { state: 'linked', creditId: 'crd_1', isRepeat: true, dueAtMs: NOW + 7, tries: 3 } as const;
  assert.deepEqual(await store.commit([moving(given, linked)]), [COMMITTED]);
  assert.deepEqual(await stored(given), { ...given, ...linked, version: given.version + 1 });
});

test('of two processes that decide one report on the same version, one commits; a report that is not stored cannot be moved', async () => {
  const given = report();
  assert.deepEqual(await store.commit([adding(given)]), [COMMITTED]);
  const outcomes = await Promise.all([
    store.commit([moving(given, { state: 'case', dueAtMs: null })]),
    other.commit([moving(given, { state: 'linked', creditId: 'crd_2', dueAtMs: null })]),
  ]);
  assert.deepEqual(
    outcomes
      .flat()
      .map(({ kind }) => kind)
      .toSorted(),
    ['committed', 'stale'],
  );
  const decided = await stored(given);
  assert.deepEqual(decided?.version, given.version + 1);
  assert.deepEqual(await other.commit([moving(given, { state: 'explained' })]), [STALE]);
  assert.deepEqual(await stored(given), decided);
  assert.deepEqual(await store.commit([moving(report(), { state: 'case' })]), [STALE]);
});
