// Tests the setting of limits. An omitted limit keeps its value, null removes a limit, and the first limits of a business start
// with the default limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS, databaseWithKeys } from '../../../test/http/store-fixtures.ts';
import { agreeOnSetting } from '../../../test/support/people/reviewers.ts';
import { rateDepsOn } from '../../../test/support/rates/prices.ts';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import { makeBackOffice } from '../../adapters/postgres/back-office/back-office.ts';
import { makeSettingStore } from '../../adapters/postgres/back-office/setting-store.ts';
import { makeRailStore } from '../../adapters/postgres/rails/rail-store.ts';
import type { LimitInput } from '../../domain/back-office/setting.ts';
import { changeSetting } from './change-setting.ts';

const { database } = await databaseWithKeys();
const backOffice = makeBackOffice(database);
const NOW = Date.parse('2026-11-14T09:30:00.123Z');
const clock = { now: () => NOW };
const entropy = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
const deps = {
  backOffice,
  settingDesk: makeSettingStore(database),
  banks: loadBankDirectory(),
  clock,
  entropy,
  ...rateDepsOn(database),
  railDesk: makeRailStore(database),
};
const setLimit = (limit: LimitInput) =>
  changeSetting(deps, { setting: 'limit_set', limit }, { actor: 'os:ada' });
const done = (limit: object) => ({
  ok: true,
  value: { kind: 'done', write: { setting: 'limit_set', limit } },
});
const everyone = { businessId: null, mode: 'test' } as const;
const own = { businessId: BUSINESS, mode: 'test' } as const;

test('omitted limits keep their value, and null removes a limit', async () => {
  await setLimit({ ...everyone, perTransactionMinor: 100n, perDayMinor: 300n });
  const set = await setLimit({ ...everyone, perDayMinor: null, perMonthMinor: 900n });
  const expected = { ...everyone, perTransactionMinor: 100n, perDayMinor: null, perMonthMinor: 900n };
  assert.deepEqual(set, done(expected));
  assert.deepEqual(await backOffice.listLimits(), [expected]);
});

test('the first limits of a business are copied from the default limits, and are independent afterwards', async () => {
  const first = await setLimit({ ...own, perDayMinor: 500n });
  const expected = { ...own, perTransactionMinor: 100n, perDayMinor: 500n, perMonthMinor: 900n };
  assert.deepEqual(first, done(expected));
  await setLimit({ ...everyone, perTransactionMinor: 50n });
  await setLimit({ ...own, perMonthMinor: null });
  const [byDefault, ofBusiness] = await backOffice.listLimits();
  assert.equal(byDefault!.perTransactionMinor, 50n);
  assert.deepEqual(ofBusiness, { ...expected, perMonthMinor: null });
  // The business has no limits of its own in live mode yet, and two people are needed to set them there.
  const live = { ...own, mode: 'live' } as const;
  const request = { setting: 'limit_set', limit: { ...live, perDayMinor: 1n } } as const;
  assert.ok((await agreeOnSetting({ ...deps, database }, request)).ok);
  const alone = { ...live, perTransactionMinor: null, perDayMinor: 1n, perMonthMinor: null };
  assert.deepEqual(
    (await backOffice.listLimits()).find(({ mode }) => mode === 'live'),
    alone,
  );
});

test('invalid limits are refused and change nothing', async () => {
  const before = await backOffice.listLimits();
  for (const [given, message] of [
    [everyone, /at least one limit/],
    [{ ...everyone, perDayMinor: 0n }, /above zero/],
    [{ ...everyone, perDayMinor: -1n }, /above zero/],
    [{ ...own, businessId: 'biz_unknown', perDayMinor: 1n }, /no business biz_unknown/],
  ] as const) {
    const refused = await setLimit(given);
    assert.ok(!refused.ok);
    assert.match(refused.error.message, message);
  }
  assert.deepEqual(await backOffice.listLimits(), before);
});

test('every change is in the audit log', async () => {
  const { rows } = await database.query({
    text: `select actor, at, detail from audit_log where action = 'limit_set' order by no limit 2`,
  });
  const detail = { ...everyone, perTransactionMinor: '100', perDayMinor: '300', perMonthMinor: null };
  assert.deepEqual(rows[0], { actor: 'os:ada', at: new Date(NOW), detail });
  assert.equal(rows.length, 2);
});

test('two concurrent updates of the used amount cannot exceed a limit together', async () => {
  const use = (amount: number, limit: number | null) =>
    database.query({
      text: `insert into limit_usage as u (business_id, mode, period, used_minor, limit_minor)
        values ($1, 'live', '2026-11-14', $2, $3)
        on conflict (business_id, mode, period) do update
        set used_minor = u.used_minor + excluded.used_minor, limit_minor = excluded.limit_minor`,
      values: [BUSINESS, amount, limit],
    });
  await use(40, 100);
  const outcomes = await Promise.allSettled([use(40, 100), use(40, 100)]);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.equal(refused.length, 1);
  assert.match(String(refused[0]!.reason), /limit_usage_within/);
  await use(20, 100);
  await assert.rejects(use(1, 100), /limit_usage_within/);
  await use(1, null);
});
