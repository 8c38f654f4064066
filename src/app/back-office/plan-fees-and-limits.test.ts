// Tests the setting of fees: which fees the service refuses, and that it stores every fee with the person who set it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS, databaseWithKeys } from '../../../test/http/store-fixtures.ts';
import { rateDepsOn } from '../../../test/support/rates/prices.ts';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import { makeBackOffice } from '../../adapters/postgres/back-office/back-office.ts';
import { makeSettingStore } from '../../adapters/postgres/back-office/setting-store.ts';
import { makeRailStore } from '../../adapters/postgres/rails/rail-store.ts';
import type { FeeInput } from '../../domain/back-office/setting.ts';
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
const setFee = (fee: FeeInput) => changeSetting(deps, { setting: 'fee_set', fee }, { actor: 'os:ada' });
const given = {
  businessId: null,
  mode: 'test',
  product: 'buy',
  flatMinor: 5_000n,
  feeBps: 150,
  capMinor: 200_000n,
  fromMs: null,
} as const;

test('a fee without a start time applies from now on; all fees are listed in the order they were added', async () => {
  const first = await setFee(given);
  const write = { setting: 'fee_set', fee: { ...given, fromMs: NOW } };
  assert.deepEqual(first, { ok: true, value: { kind: 'done', write } });
  const own = { ...given, businessId: BUSINESS, capMinor: null, fromMs: NOW + 5_000 };
  assert.equal((await setFee(own)).ok, true);
  const edge = { ...given, flatMinor: 0n, feeBps: 5_000, capMinor: 0n, fromMs: NOW };
  assert.equal((await setFee(edge)).ok, true);
  assert.deepEqual(await backOffice.listFees(), [{ ...given, fromMs: NOW }, own, edge]);
});

test('invalid fees are refused and change nothing', async () => {
  const before = await backOffice.listFees();
  for (const [changes, message] of [
    [{ flatMinor: -1n }, /must not be negative/],
    [{ feeBps: -1 }, /basis points/],
    [{ feeBps: 5_001 }, /basis points/],
    [{ feeBps: 1.5 }, /basis points/],
    [{ capMinor: 4_999n }, /cap/],
    [{ fromMs: NOW - 1 }, /past/],
    [{ businessId: 'biz_unknown' }, /no business biz_unknown/],
  ] as const) {
    const refused = await setFee({ ...given, ...changes });
    assert.ok(!refused.ok);
    assert.match(refused.error.message, message);
  }
  assert.deepEqual(await backOffice.listFees(), before);
});

test('every fee is in the audit log, with amounts exact to the kobo', async () => {
  const { rows } = await database.query({
    text: `select actor, at, detail from audit_log where action = 'fee_added' order by no limit 1`,
  });
  const detail = { ...given, flatMinor: '5000', capMinor: '200000', fromMs: NOW };
  assert.deepEqual(rows, [{ actor: 'os:ada', at: new Date(NOW), detail }]);
});

test('the database refuses to change a stored fee', async () => {
  for (const text of ['update fees set fee_bps = 0', 'delete from fees', 'truncate fees']) {
    await assert.rejects(database.query({ text }), /append-only/);
  }
});
