// Tests the settings of rails: which changes the service refuses, and which changes one person decides alone. Two people decide
// all other changes, based on the values that they saw.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithKeys } from '../../../test/http/store-fixtures.ts';
import { agreeOnSetting } from '../../../test/support/people/reviewers.ts';
import { rateDepsOn } from '../../../test/support/rates/prices.ts';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import { makeBackOffice } from '../../adapters/postgres/back-office/back-office.ts';
import { makeSettingStore } from '../../adapters/postgres/back-office/setting-store.ts';
import { makeRailStore } from '../../adapters/postgres/rails/rail-store.ts';
import { describeSetting } from '../../domain/back-office/describe-setting.ts';
import type { RouteInput, SettingRequest } from '../../domain/back-office/setting.ts';
import { changeSetting } from './change-setting.ts';

const { database } = await databaseWithKeys();
const NOW = Date.parse('2026-11-14T09:30:00.123Z');
const railDesk = makeRailStore(database);
const deps = {
  backOffice: makeBackOffice(database),
  settingDesk: makeSettingStore(database),
  banks: loadBankDirectory(),
  clock: { now: () => NOW },
  entropy: { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) },
  ...rateDepsOn(database),
  railDesk,
  database,
};
await railDesk.register(
  (['live', 'test'] as const).map((mode) => ({ mode, rail: 'nip', account: 'x:1', place: 0 })),
  NOW,
);

const ROUTE: RouteInput = {
  ...{ id: null, rail: 'nip', priority: 1, weight: 100, minMinor: 100n, maxMinor: 500n },
  ...{ bankCodes: ['Access Bank', '044'], costMinor: 10_75n, enabled: true },
};
const ask = (request: SettingRequest) => changeSetting(deps, request, { actor: 'os:ada' });
const route = (changes: Partial<RouteInput>, mode: 'live' | 'test' = 'test') =>
  ({ setting: 'rail_route_set', mode, route: { ...ROUTE, ...changes } }) as const;
const kindOf = async (request: SettingRequest) => {
  const outcome = await ask(request);
  return outcome.ok ? outcome.value.kind : `${outcome.error.code}: ${outcome.error.message}`;
};

test('a refused route names the field that is wrong', async () => {
  const wrong: readonly (readonly [Partial<RouteInput>, RegExp])[] = [
    [{ priority: 0 }, /^invalid: The priority must be a whole number from 1 to 999/],
    [{ weight: 1001 }, /^invalid: The weight/],
    [{ weight: 1.5 }, /^invalid: The weight/],
    [{ minMinor: 0n }, /^invalid: The amount bounds must be above zero/],
    [{ minMinor: 501n }, /^invalid: The lower amount bound is above/],
    [{ costMinor: -1n }, /^invalid: The cost must not be negative/],
    [{ bankCodes: [] }, /^invalid: Name at least one bank/],
    [{ bankCodes: ['no such bank'] }, /^invalid: There is no bank no such bank/],
    [{ rail: 'nipp' }, /^not_found: There is no test rail nipp\. Known: nip\./],
    [{ id: 99 }, /^not_found: There is no test route 99/],
  ];
  for (const [changes, message] of wrong) assert.match(await kindOf(route(changes)), message);
});

test('a route is stored with the codes of its banks, and can be replaced as a whole and removed', async () => {
  assert.equal(await kindOf(route({})), 'done');
  const [stored] = (await railDesk.settings()).routes;
  const { id, ...rest } = stored!;
  assert.deepEqual(rest, {
    ...{ mode: 'test', rail: 'nip', priority: 1, weight: 100, minMinor: 100n, maxMinor: 500n },
    ...{ bankCodes: ['access-bank'], costMinor: 10_75n, enabled: true },
  });
  assert.equal(await kindOf(route({ id, bankCodes: null, minMinor: null, enabled: false })), 'done');
  const [changed] = (await railDesk.settings()).routes;
  assert.deepEqual([changed!.id, changed!.bankCodes, changed!.enabled], [id, null, false]);
  assert.equal(await kindOf({ setting: 'rail_route_removed', mode: 'test', routeId: id }), 'done');
  assert.match(await kindOf({ setting: 'rail_route_removed', mode: 'test', routeId: id }), /^not_found/);
});

test('threat 83: live routes, caps and resumes need two people; a pause needs one person and takes effect at once', async () => {
  const live = route({}, 'live');
  const cap = { setting: 'rail_cap_set', mode: 'live', rail: 'nip', perDayMinor: 5_000n } as const;
  const named = { mode: 'live', rail: 'nip', reason: 'the bank called' } as const;
  for (const request of [live, cap]) {
    assert.match(await kindOf(request), /^sign_in_needed/);
    assert.ok((await agreeOnSetting(deps, request)).ok);
  }
  const { routes, caps } = await railDesk.settings();
  assert.deepEqual(
    [routes.length, routes[0]!.maxMinor, caps],
    [1, 500n, [{ mode: 'live', rail: 'nip', perDayMinor: 5_000n }]],
  );
  assert.match(
    await kindOf({ setting: 'rail_resumed', ...named }),
    /^not_possible: The live rail nip is not paused/,
  );
  assert.equal(await kindOf({ setting: 'rail_paused', ...named }), 'done');
  assert.match(
    await kindOf({ setting: 'rail_paused', ...named }),
    /^not_possible: The live rail .* is already paused by a person/,
  );
  assert.match(await kindOf({ setting: 'rail_resumed', ...named }), /^sign_in_needed/);
  assert.ok((await agreeOnSetting(deps, { setting: 'rail_resumed', ...named })).ok);
  assert.deepEqual((await railDesk.settings()).pauses, []);
});

test('only a rail that paid a payout that it had refused can be trusted again, and in live mode this needs two people', async () => {
  const trust = {
    setting: 'rail_trusted',
    mode: 'live',
    rail: 'nip',
    reason: 'the bank explained it',
  } as const;
  assert.match(await kindOf(trust), /^not_possible: The refusals of the live rail nip are already trusted/);
  await database.query({
    text: `insert into rail_doubts (mode, rail, movement_id, since) values ('live', 'nip', 'mov_1', now())`,
  });
  assert.match(await kindOf(trust), /^sign_in_needed/);
  assert.equal((await railDesk.settings()).doubts.length, 1);
  assert.ok((await agreeOnSetting(deps, trust)).ok);
  assert.deepEqual((await railDesk.settings()).doubts, []);
});

test('a cap must be above zero, and only an existing cap can be removed', async () => {
  const cap = (perDayMinor: bigint | null) =>
    kindOf({ setting: 'rail_cap_set', mode: 'test', rail: 'nip', perDayMinor });
  assert.match(await cap(0n), /^invalid: The cap must be above zero/);
  assert.match(await cap(null), /^not_possible: The test rail nip has no cap/);
  assert.deepEqual([await cap(7n), await cap(null)], ['done', 'done']);
});

test('for each setting, one sentence describes its change', () => {
  const words = [
    route({ minMinor: null }),
    route({ id: 4, maxMinor: null, bankCodes: null, costMinor: null, enabled: false }, 'live'),
    { setting: 'rail_cap_set', mode: 'live', rail: 'nip', perDayMinor: null },
  ] as const satisfies readonly SettingRequest[];
  assert.deepEqual(words.map(describeSetting), [
    'add a test route: nip with priority 1, weight 100, up to ₦5.00, banks Access Bank 044, cost ₦10.75',
    'replace the live route 4: nip with priority 1, weight 100, from ₦1.00, all banks, disabled',
    'remove the daily cap of the live rail nip',
  ]);
});
