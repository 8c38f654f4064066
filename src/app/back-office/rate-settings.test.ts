// Tests desk prices, spreads and tiers: how many people each change needs, and that there is no other way to write a change
// that needs two people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { CHECKER, MAKER } from '../../../test/support/people/reviewers.ts';
import { openRateStage } from '../../../test/support/rates/rate-stage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('threat 61: absurd prices are refused, no matter who sets them', async () => {
  const stage = await openRateStage();
  for (const [prices, why] of [
    [{ USD: '99999999999' }, /USD: One USD must be between/],
    [{ USD: '0.0001' }, /USD: One USD must be between/],
    [{ USD: '0' }, /USD must be a number above zero/],
    [{ USD: '-1361.5' }, /USD must be a number above zero/],
    [{ USD: '1361.50001' }, /at most 4 decimals/],
    [{ ZZZ: '1' }, /ZZZ is not one of USD, GBP/],
    [{}, /at least one price/],
  ] as const)
    for (const mode of ['live', 'test'] as const)
      assert.match(await stage.set(mode, prices as Record<string, string>), why);
  for (const validForMs of [0, -1, 32 * DAY_MS, 1.5])
    assert.match(await stage.set('live', { USD: '1361.5' }, { validForMs }), /at most 31 days/);
  assert.deepEqual(await stage.prices('live'), {});
});

test('threat 61: a first live price near the built-in reference needs one person; any other first price needs two', async () => {
  const stage = await openRateStage();
  assert.equal(await stage.set('live', { USD: '1361.5', KES: '20.9' }), 'done');
  assert.match(
    await stage.set('live', { GBP: '3653.1' }),
    /^proposed: GBP: 3653.1 is not between half and twice/,
  );
  assert.deepEqual(Object.keys(await stage.prices('live')), ['KES', 'USD']);
});

test('threat 61: one person may move a price 5 % from the last accepted value, in both modes, but not one ten-thousandth more', async () => {
  for (const mode of ['live', 'test'] as const) {
    const stage = await openRateStage();
    assert.equal(await stage.set(mode, { USD: '1400', EUR: '1600' }), 'done');
    await stage.decide();
    assert.match(await stage.set(mode, { USD: '1470.0001' }), /^proposed: USD: .* the last accepted value/);
    assert.match(await stage.set(mode, { EUR: '1519.9999' }), /^proposed: EUR: /);
    assert.equal(await stage.set(mode, { USD: '1470' }), 'done');
    assert.equal(await stage.set(mode, { EUR: '1520' }), 'done');
    // This price is ten times too high, because its decimal point is misplaced.
    assert.match(await stage.set(mode, { USD: '13615' }), /^proposed: USD: .*decimal point may be misplaced/);
  }
});

test('threat 61: many small steps do not help: without a second person a price moves by at most 5 % in 24 hours', async () => {
  const stage = await openRateStage();
  for (const price of ['1400', '1430', '1460']) {
    assert.equal(await stage.set('live', { USD: price }), 'done');
    await stage.decide();
    stage.wait(HOUR_MS);
  }
  assert.match(
    await stage.set('live', { USD: '1490' }),
    /^proposed: USD: .*1400, a price that one person set within 24 h/,
  );
  // A different person cannot make this change alone either. The limit applies to the sum of all changes that were made by one
  // person alone.
  assert.match(await stage.set('live', { USD: '1490' }, {}, CHECKER), /^proposed/);
  assert.equal((await stage.prices('live')).USD?.valueE4, 14_600_000n);
  // A person withdraws the price in between, but the earlier changes still count.
  assert.equal(await stage.withdraw('live', ['USD']), 'done');
  assert.match(await stage.set('live', { USD: '1490' }), /^proposed/);
  stage.wait(DAY_MS);
  assert.equal(await stage.set('live', { USD: '1490' }), 'done');
});

test('a distant price that two people set is confirmed, names both people, and starts a new period of 24 hours', async () => {
  const stage = await openRateStage();
  assert.equal(await stage.set('live', { USD: '1400', GBP: '1900' }), 'done');
  await stage.decide();
  const id = await stage.propose('live', { USD: '1600' });
  assert.equal(await stage.propose('live', { USD: '1600' }), id, 'asked twice: one proposal');
  assert.equal(await stage.approve(id, MAKER), 'same_person');
  assert.equal((await stage.prices('live')).USD?.valueE4, 14_000_000n, 'nothing changes before the approval');
  assert.equal(await stage.approve(id), 'ok');
  const { USD, GBP } = await stage.prices('live');
  assert.deepEqual(
    [USD?.valueE4, USD?.setBy, USD?.approvedBy, USD?.confirmed],
    [16_000_000n, MAKER, CHECKER, true],
  );
  assert.equal(USD!.validUntilMs! - USD!.asOfMs, DAY_MS, 'it holds from the approval on');
  assert.deepEqual([GBP?.setBy, GBP?.approvedBy, GBP?.confirmed], [MAKER, null, false]);
  await stage.decide();
  assert.equal(await stage.set('live', { USD: '1650' }), 'done', 'near what two people agreed on');
  assert.equal(await stage.approve(id, 'per_eve'), 'already_decided');
});

test('if one of several prices needs two people, all of them wait', async () => {
  const stage = await openRateStage();
  assert.equal(await stage.set('test', { USD: '1400', EUR: '1600' }), 'done');
  const answer = await stage.set('test', { USD: '1401', EUR: '1800' });
  assert.match(answer, /^proposed: EUR: /);
  assert.ok(!answer.includes('USD:'));
  const { USD, EUR } = await stage.prices('test');
  assert.deepEqual([USD?.valueE4, EUR?.valueE4], [14_000_000n, 16_000_000n]);
});

test('threat 60: setting the price of one currency does not renew another price, and each price ends separately', async () => {
  const stage = await openRateStage();
  assert.equal(await stage.set('live', { USD: '1400', EUR: '1600' }, { validForMs: 2 * HOUR_MS }), 'done');
  stage.wait(HOUR_MS);
  const before = await stage.prices('live');
  assert.equal(await stage.set('live', { USD: '1401' }, { validForMs: 4 * HOUR_MS }), 'done');
  const after = await stage.prices('live');
  assert.deepEqual(after.EUR, before.EUR);
  assert.equal(after.USD!.validUntilMs! - after.USD!.asOfMs, 4 * HOUR_MS);
  await stage.decide();
  assert.deepEqual(await stage.served('live'), ['USD', 'EUR']);
  stage.wait(2 * HOUR_MS);
  assert.deepEqual(await stage.served('live'), ['USD'], 'one ends, the other goes on');
});

test('a price far from other sources needs two people, even if it is near the last price', async () => {
  const stage = await openRateStage();
  assert.equal(await stage.set('live', { USD: '1400' }), 'done');
  await stage.decide();
  await stage.report('1490');
  assert.match(await stage.set('live', { USD: '1410' }), /^proposed: USD: .*the median of the other sources/);
  assert.match(
    await stage.set('live', { USD: '1410' }, { override: true }),
    /^proposed: USD: /,
    'an override is judged alike',
  );
  assert.equal(await stage.set('live', { USD: '1450' }), 'done');
  assert.equal(await stage.set('test', { USD: '1410' }), 'done', 'test mode has the desk alone');
});

test('threat 61: an override is compared with the other sources, and never with itself', async () => {
  const stage = await openRateStage();
  await stage.report('1400');
  const override = { override: true };
  assert.equal(await stage.set('live', { USD: '1460' }, override), 'done');
  await stage.decide();
  stage.wait(DAY_MS + HOUR_MS);
  await stage.report('1400');
  assert.match(
    await stage.set('live', { USD: '1520' }, override),
    /^proposed: USD: .*from 1400, the median of the other sources/,
  );
});

test('a product that does not use desk prices accepts only an override', async () => {
  const stage = await openRateStage();
  const product = { product: 'usdc_ngnc' };
  assert.match(await stage.set('live', { USD: '1400' }, product), /priced from market, not from the desk/);
  assert.equal(await stage.set('live', { USD: '1400' }, { ...product, override: true }), 'done');
});

test('when two people set a price at the same moment, the second price is checked against the first', async () => {
  const stage = await openRateStage();
  assert.equal(await stage.set('live', { USD: '1400' }), 'done');
  await stage.decide();
  stage.wait(DAY_MS + HOUR_MS);
  const answers = await Promise.all([
    stage.set('live', { USD: '1340' }, {}, MAKER),
    stage.set('live', { USD: '1460' }, {}, CHECKER),
  ]);
  assert.equal(answers.filter((answer) => answer === 'done').length, 1, answers.join(' | '));
  assert.equal(answers.filter((answer) => answer.startsWith('proposed')).length, 1);
});

test('when two people approve at the same moment, one approval counts, and the price is written once', async () => {
  const stage = await openRateStage();
  const id = await stage.propose('live', { USD: '3000' });
  const outcomes = await Promise.all([stage.approve(id), stage.approve(id, 'per_eve')]);
  assert.deepEqual(outcomes.toSorted(), ['already_decided', 'ok']);
  assert.equal((await stage.rows('live')).length, 1);
});

test('threat 61: a waiting proposal stays valid after small market moves, but not after large ones or after a new desk price', async () => {
  const stage = await openRateStage();
  assert.equal(await stage.set('live', { USD: '1400' }), 'done');
  await stage.decide();
  const near = await stage.propose('live', { USD: '1600' });
  await stage.accept('live', 14_280_000n);
  assert.equal(await stage.obstacle(near), null, '2 % is still near');
  await stage.accept('live', 14_280_001n);
  assert.match((await stage.obstacle(near))!, /changed/);
  assert.equal(await stage.approve(near), 'changed');
  await stage.accept('live', 13_719_999n);
  assert.equal(await stage.approve(near), 'changed');
  await stage.accept('live', 14_000_000n);
  assert.equal(await stage.set('live', { USD: '1401' }), 'done');
  assert.equal(await stage.approve(near), 'changed', 'another desk price was set since');
  const again = await stage.propose('live', { USD: '1600' });
  assert.equal(await stage.set('live', { EUR: '1600' }), 'done');
  assert.equal(await stage.approve(again), 'ok', 'a price of another currency is no reason');
});

test('one person can end the desk price of a currency at once, and other currencies keep their price', async () => {
  const stage = await openRateStage();
  assert.equal(await stage.set('live', { USD: '1400', EUR: '1600' }), 'done');
  await stage.decide();
  assert.equal(await stage.withdraw('live', ['USD'], 'os:ops'), 'done');
  await stage.decide();
  assert.deepEqual(await stage.served('live'), ['EUR']);
  assert.match(await stage.withdraw('live', ['USD']), /no valid live otc_buy desk price of USD/);
  assert.match(await stage.withdraw('live', ['EUR', 'USD']), /no valid .* desk price of USD/);
  assert.match(await stage.withdraw('live', []), /at least one currency/);
  assert.match(await stage.withdraw('live', ['ZZZ']), /ZZZ is not one of/);
  assert.deepEqual(await stage.served('live'), ['EUR'], 'what was refused ended nothing');
});

test('a live spread and a tier need two people, and a test-mode spread needs one; a missing spread never counts as zero', async () => {
  const stage = await openRateStage({ spreads: false });
  assert.equal(await stage.set('live', { USD: '1400' }), 'done');
  await stage.decide();
  assert.deepEqual(await stage.served('live'), [], 'without a spread nothing is quoted');
  const spread = { product: 'otc_buy', currency: null, tier: null, spreadBps: 0 } as const;
  assert.equal(await stage.change({ setting: 'spread_set', mode: 'test', ...spread }), 'done');
  assert.match(await stage.change({ setting: 'spread_set', mode: 'test', ...spread }), /already 0 bps/);
  assert.equal(await stage.agree({ setting: 'spread_set', mode: 'live', ...spread }), 'ok');
  assert.deepEqual(await stage.served('live'), ['USD'], 'a zero that was chosen is a spread');
  for (const [changes, why] of [
    [{ spreadBps: 5_001 }, /from 0 to 5000/],
    [{ spreadBps: -1 }, /from 0 to 5000/],
    [{ tier: 'Gold' }, /The tier "Gold" must have/],
  ] as const)
    assert.match(await stage.change({ setting: 'spread_set', mode: 'live', ...spread, ...changes }), why);
  const tier = { setting: 'tier_set', businessId: BUSINESS, tier: 'gold' } as const;
  assert.match(await stage.change(tier, 'os:ops'), /Sign in first/);
  assert.equal(await stage.agree(tier), 'ok');
  assert.match(await stage.change(tier), /already in the tier gold/);
  assert.match(await stage.change({ ...tier, businessId: 'biz_none' }), /no business biz_none/);
  assert.match(await stage.change({ ...tier, tier: 'x'.repeat(33) }), /1 to 32 characters/);
});
