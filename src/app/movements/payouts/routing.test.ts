// Tests the routing table, caps and pauses when payouts start, on a real database and with several processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRailRig } from '../../../../test/support/rails/rail-rig.ts';
import { type ScriptedRail, scriptedRail } from '../../../../test/support/rails/scripted-rail.ts';
import { applySetting } from '../../../adapters/postgres/back-office/setting-writes.ts';
import type { RouteInput } from '../../../domain/back-office/setting.ts';
import { usageKey } from '../../../domain/rails/settings.ts';
import { lagosDay } from '../../../domain/values/calendar.ts';
import type { SettingWrite } from '../../../ports/setting-store.ts';
import { chooseRailToAsk } from './choose-rail.ts';

const rig = await openRailRig();
const [a, b] = [scriptedRail('a'), scriptedRail('b')];
await rig.fund([a, b]);
const NET = 2_500_000n;

const set = async (write: SettingWrite) =>
  assert.equal(await applySetting(rig.database, write, { actor: 'test', atMs: rig.now() }), 'done');
const pause = (rail: string) => set({ setting: 'rail_paused', mode: 'test', rail, reason: 'odd' });
const resume = (rail: string) => set({ setting: 'rail_resumed', mode: 'test', rail, reason: 'well' });
const cap = (rail: string, perDayMinor: bigint | null) =>
  set({ setting: 'rail_cap_set', mode: 'test', rail, perDayMinor });
const route = (rail: string, more: Partial<RouteInput> = {}) =>
  set({
    setting: 'rail_route_set',
    mode: 'test',
    route: {
      ...{ id: null, rail, priority: 1, weight: 1, minMinor: null, maxMinor: null, bankCodes: null },
      ...{ costMinor: null, enabled: true, ...more },
    },
  });
const used = async (rail: string) =>
  (
    await rig.deps.store.usage([{ businessId: usageKey(rail), mode: 'test', period: lagosDay(rig.now()) }])
  )[0];
const paidBy = () => [a, b].map(({ paid }) => paid.size);
const both = (more = {}) => rig.process([a, b], more);

test('a paused rail gets no new payout, but its payouts in progress are still queried there', async () => {
  const old = await rig.depositedSell();
  const pending = scriptedRail('a', [{ kind: 'pending' }], {
    ask: async () => ({ kind: 'paid', sessionId: null, chargeMinor: 0n }),
  });
  const process = rig.process([pending, b]);
  await process.run();
  assert.deepEqual((await rig.payoutOf(old)).story, ['a accepted']);
  await pause('a');
  const next = await rig.depositedSell();
  await process.run();
  assert.deepEqual((await rig.payoutOf(next)).story, ['b landed']);
  assert.deepEqual((await rig.payoutOf(old)).story, ['a landed']);
  assert.equal((await rig.find(old.id)).state, 'completed');
});

test('with all rails paused, the payout waits with a reason, and is sent when a rail is resumed', async () => {
  await pause('b');
  const sell = await rig.depositedSell();
  const process = both();
  await process.run();
  assert.equal((await rig.find(sell.id)).state, 'deposited');
  const trouble = process.troubles.find(({ message }) => message === 'no rail takes a payout');
  assert.equal(trouble?.detail.why, 'a is paused; b is paused');
  await resume('a');
  await resume('b');
  rig.pass(60_000);
  await process.run();
  assert.deepEqual((await rig.payoutOf(sell)).story, ['a landed']);
});

test('if one rail is paused and the other has no naira, the log names both reasons', async () => {
  await pause('a');
  const poor = scriptedRail('poor');
  const sell = await rig.depositedSell();
  const process = rig.process([a, poor]);
  await process.run();
  assert.equal((await rig.find(sell.id)).state, 'deposited');
  const said = new Set(process.troubles.map(({ message, detail }) => `${message}: ${detail.why}`));
  assert.deepEqual(
    [...said],
    ['no rail takes a payout: a is paused; poor has too little money in its account'],
  );
  await resume('a');
  rig.pass(60_000);
  await process.run();
  assert.deepEqual((await rig.payoutOf(sell)).story, ['a landed']);
});

test('pauses, caps and routes of live mode do not affect test mode', async () => {
  const live = { mode: 'live', rail: 'a' } as const;
  await set({ setting: 'rail_paused', ...live, reason: 'odd' });
  await set({ setting: 'rail_cap_set', ...live, perDayMinor: 1n });
  const plain = {
    id: null,
    rail: 'b',
    priority: 1,
    weight: 1,
    minMinor: null,
    maxMinor: null,
    costMinor: null,
  };
  await set({
    ...{ setting: 'rail_route_set', mode: 'live' },
    route: { ...plain, bankCodes: null, enabled: true },
  });
  const sell = await rig.depositedSell();
  const process = both();
  await process.run();
  assert.deepEqual((await rig.payoutOf(sell)).story, ['a landed']);
  assert.equal(chooseRailToAsk(process.deps, 'test', sell.bankCode!)?.name, 'a');
  assert.equal(await used('a'), 0n, 'no cap of test mode, so nothing is counted');
  await pause('a');
  await set({ setting: 'rail_resumed', ...live, reason: 'well' });
  await process.run();
  assert.equal(
    chooseRailToAsk(process.deps, 'test', sell.bankCode!)?.name,
    'b',
    'that of test mode stays paused',
  );
  await resume('a');
  await set({ setting: 'rail_cap_set', ...live, perDayMinor: null });
});

test('the routing table decides by amount bands, priorities and disabled routes', async () => {
  await route('b', { priority: 1, maxMinor: NET });
  await route('a', { priority: 2 });
  await route('a', { priority: 1, enabled: false });
  const [small, large] = [await rig.depositedSell(), await rig.depositedSell({ amountMinor: NET + 1n })];
  await both().run();
  assert.deepEqual(
    [(await rig.payoutOf(small)).story, (await rig.payoutOf(large)).story],
    [['b landed'], ['a landed']],
  );
  await rig.rows('delete from rail_routes');
});

test('a cap includes the payouts of the day so far, and the next payout goes to a rail below its cap', async () => {
  const before = (
    await rig.rows<{ sum: string }>(
      `select sum(m.naira_minor)::text as sum from movement_attempts t join movements m on m.id = t.movement_id where t.rail = 'a'`,
    )
  )[0]!.sum;
  await cap('a', BigInt(before) + NET);
  assert.equal(await used('a'), BigInt(before));
  const sells = [await rig.depositedSell(), await rig.depositedSell()];
  await both().run();
  const stories = await Promise.all(sells.map(async (sell) => (await rig.payoutOf(sell)).story));
  assert.deepEqual(stories.flat().toSorted(), ['a landed', 'b landed']);
  assert.equal(await used('a'), BigInt(before) + NET);
});

test('two processes that both see space below the cap do not exceed it together: the second uses another rail', async () => {
  await cap('a', (await used('a'))! + NET);
  const limit = (await used('a'))! + NET;
  const sell = await rig.depositedSell();
  const before = paidBy();
  // Another process uses this amount of the cap between the read of the cap and the commit.
  let meanwhile = async () => {
    await rig.rows(
      `update limit_usage set used_minor = used_minor + $1 where business_id = 'rail:a'`,
      NET.toString(),
    );
  };
  const late = both({
    store: (real: typeof rig.deps.store) => ({
      commit: async (
        changes: Parameters<typeof real.commit>[0],
        feed?: Parameters<typeof real.commit>[1],
      ) => {
        if (changes.some(({ usage }) => (usage?.length ?? 0) > 0)) {
          const once = meanwhile;
          meanwhile = async () => undefined;
          await once();
        }
        return real.commit(changes, feed);
      },
    }),
  });
  await late.run();
  assert.equal((await rig.find(sell.id)).state, 'deposited', 'it is put off and not held');
  assert.deepEqual(paidBy(), before);
  rig.pass(60_000);
  await late.run();
  assert.deepEqual((await rig.payoutOf(sell)).story, ['b landed']);
  assert.equal(await used('a'), limit);
});

test('if the cap is reached on every rail, the payout waits for the next day (Lagos time)', async () => {
  await cap('b', 1n);
  const sell = await rig.depositedSell();
  const process = both();
  await process.run();
  assert.equal((await rig.find(sell.id)).state, 'deposited');
  rig.pass(86_400_000);
  await process.run();
  assert.deepEqual((await rig.payoutOf(sell)).story, ['a landed']);
  assert.equal(await used('a'), NET);
  await cap('a', null);
  await cap('b', null);
});

test('a payout to a bank that only one rail reaches is made through that rail', async () => {
  const far: ScriptedRail = {
    ...a,
    rail: { ...a.rail, payouts: { ...a.rail.payouts, reaches: () => false } },
  };
  const sell = await rig.depositedSell();
  await rig.process([far, b]).run();
  assert.deepEqual((await rig.payoutOf(sell)).story, ['b landed']);
});

test('weights distribute payouts at random, with the entropy of the process', async () => {
  await route('a', { weight: 1 });
  await route('b', { weight: 1 });
  const drawn: string[] = [];
  for (const byte of [0, 1]) {
    const sell = await rig.depositedSell();
    const process = both();
    const { bytes } = process.deps.entropy;
    (process.deps as { entropy: typeof process.deps.entropy }).entropy = {
      bytes: (count) => (count === 4 ? new Uint8Array([0, 0, 0, byte]) : bytes(count)),
    };
    await process.run();
    drawn.push(...(await rig.payoutOf(sell)).story);
  }
  assert.deepEqual(drawn, ['a landed', 'b landed']);
  await rig.rows('delete from rail_routes');
});
