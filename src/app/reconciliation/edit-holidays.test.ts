// The list of public holidays in PostgreSQL: who changed it is in the audit log, and the next reconciliation uses it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putStatement } from '../../../test/support/reconciliation/statement-rows.ts';
import { openRig } from '../../../test/support/settlement.ts';
import { makeReconciliationStores } from '../../adapters/postgres/reconciliation/reconciliation-store.ts';
import { makeSystemEntropy } from '../../adapters/system.ts';
import { entryOf } from '../../domain/ledger/ledger.ts';
import { lagosDayToMs } from '../../domain/values/calendar.ts';
import { removeHoliday, setHoliday } from './edit-holidays.ts';
import { reconcileAccount } from './reconcile-account.ts';

const rig = await openRig();
const { database } = rig;
const { holidays, reconciliation } = makeReconciliationStores(database);
const clock = { now: () => rig.now() };
const deps = { holidays, reconciliation, clock, entropy: makeSystemEntropy() };
const of = { mode: 'live', account: '058:0123456789' } as const;

async function stateDays(...days: readonly string[]): Promise<void> {
  for (const day of days)
    await putStatement(database, { ...of, day }, { openingMinor: 0n, closingMinor: 0n }, []);
}

test('the default list has the years 2025 to 2027, and marks days that depend on the moon as provisional', async () => {
  const all = await holidays.list();
  const years = new Set(all.map(({ day }) => day.slice(0, 4)));
  assert.deepEqual([...years], ['2025', '2026', '2027']);
  const eid = all.filter(({ day, name }) => day.startsWith('2027') && name.startsWith('Eid'));
  assert.ok(eid.length > 0 && eid.every(({ provisional }) => provisional));
  assert.equal(all.find(({ day }) => day === '2026-10-01')?.provisional, false);
});

test('a person adds, changes and removes a day, and the audit log shows each change', async () => {
  const given = { day: '2026-07-15', name: ' Day of mourning ', provisional: true };
  const set = await setHoliday(deps, given, 'per_1');
  assert.deepEqual(set.ok && set.value.name, 'Day of mourning');
  await setHoliday(deps, { ...given, provisional: false }, 'per_2');
  const found = (await holidays.list()).find(({ day }) => day === given.day);
  assert.deepEqual([found?.provisional, found?.setBy], [false, 'per_2']);
  assert.ok((await removeHoliday(deps, given.day, 'per_1')).ok);
  const again = await removeHoliday(deps, given.day, 'per_1');
  assert.equal(again.ok ? 'ok' : again.error.code, 'not_found');
  const log = await rig.rows<{ actor: string; action: string }>(
    `select actor, action from audit_log where subject = $1 order by no`,
    given.day,
  );
  assert.deepEqual(
    log.map(({ actor, action }) => `${actor} ${action}`),
    ['per_1 holiday.set', 'per_2 holiday.set', 'per_1 holiday.removed'],
  );
  for (const wrong of [
    { ...given, day: '2026-02-30' },
    { ...given, name: ' ' },
    { ...given, name: 'two\nlines' },
  ]) {
    const refused = await setHoliday(deps, wrong, 'per_1');
    assert.equal(refused.ok ? 'ok' : refused.error.code, 'invalid');
  }
});

test('an entry waits over a public holiday, and not over a day that was removed from the list', async () => {
  const facts = { mode: 'live', subjectId: 'crd_1', bankAccount: of.account } as const;
  const entries = [entryOf('credit_received', { ...facts, amounts: { amount: 100n } })];
  await rig.deps.store.commit([{ atMs: lagosDayToMs('2026-10-01') - 60_000, entries }]);
  await stateDays('2026-09-30', '2026-10-01');
  const { opened } = await reconcileAccount(deps, of, '2026-10-01');
  assert.equal(opened, 0);
  await removeHoliday(deps, '2026-10-01', 'per_1');
  assert.equal((await reconcileAccount(deps, of, '2026-10-01')).opened, 1);
});
