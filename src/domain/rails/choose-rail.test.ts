// Tests the routing table with examples and random tables. A rail that cannot take a payout is never chosen, the lowest
// suitable priority always wins, and weights decide the random share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDice } from '../../../test/support/dice.ts';
import { chooseRail, type PayoutFacts, type RailFacts } from './choose-rail.ts';
import type { Route } from './settings.ts';

const PAYOUT: PayoutFacts = { amountMinor: 5_000_00n, bankCode: 'access', tried: [] };
const rail = (name: string, more: Partial<RailFacts> = {}): RailFacts => ({
  ...{ rail: name, isPaused: false, leftMinor: null, freeMinor: 10n ** 12n, reachesBank: true, ...more },
});
const route = (name: string, more: Partial<Route> = {}): Route => ({
  ...{ id: 1, mode: 'test', rail: name, priority: 1, weight: 1, minMinor: null, maxMinor: null },
  ...{ bankCodes: null, costMinor: null, enabled: true, ...more },
});
const never = () => assert.fail('nothing is left to chance');
const chosen = (name: string) => ({ kind: 'chosen', rail: name });

test('without a routing table, the first configured rail that can make the payout is chosen', () => {
  assert.deepEqual(chooseRail([], [rail('a'), rail('b')], PAYOUT, never), chosen('a'));
  assert.deepEqual(chooseRail([], [rail('a', { isPaused: true }), rail('b')], PAYOUT, never), chosen('b'));
  assert.deepEqual(chooseRail([], [], PAYOUT, never), { kind: 'none', why: [] });
});

test('for each rail that cannot make the payout, the reason is returned', () => {
  const rails = [
    rail('a', { isPaused: true }),
    rail('b', { leftMinor: 4_999_99n }),
    rail('c', { freeMinor: 4_999_99n }),
    rail('d', { reachesBank: false }),
    rail('e'),
    rail('f'),
  ];
  const routes = [...rails.slice(0, 5).map((each) => route(each.rail)), route('gone')];
  assert.deepEqual(chooseRail(routes, rails, { ...PAYOUT, tried: ['e'] }, never), {
    kind: 'none',
    why: [
      { rail: 'a', why: 'paused' },
      { rail: 'b', why: 'cap_reached' },
      { rail: 'c', why: 'float_too_low' },
      { rail: 'd', why: 'bank_not_reached' },
      { rail: 'e', why: 'tried' },
      { rail: 'f', why: 'no_route' },
      { rail: 'gone', why: 'not_configured' },
    ],
  });
});

test('a rail without a route gets the reason no_route, even if it is paused or has too little money', () => {
  const rails = [rail('a', { isPaused: true }), rail('b', { freeMinor: 0n }), rail('c', { isPaused: true })];
  assert.deepEqual(chooseRail([route('a')], rails, PAYOUT, never), {
    kind: 'none',
    why: [
      { rail: 'a', why: 'paused' },
      { rail: 'b', why: 'no_route' },
      { rail: 'c', why: 'no_route' },
    ],
  });
});

test('a route is used for amounts from its minimum to its maximum, both included, and only for the banks in its list', () => {
  const rails = [rail('small'), rail('rest')];
  const routes = [
    route('small', { minMinor: 100n, maxMinor: 200n, bankCodes: ['access', 'gtb'] }),
    route('rest', { priority: 2 }),
  ];
  const at = (amountMinor: bigint, bankCode = 'access') =>
    chooseRail(routes, rails, { amountMinor, bankCode, tried: [] }, never);
  assert.deepEqual([at(100n), at(200n)], [chosen('small'), chosen('small')]);
  assert.deepEqual([at(99n), at(201n), at(150n, 'zenith')], [chosen('rest'), chosen('rest'), chosen('rest')]);
});

test('a route with weight 0 is used only when no other route of its priority fits, the cheapest first', () => {
  const rails = [rail('a'), rail('b'), rail('c')];
  const routes = [
    route('a', { weight: 0 }),
    route('b', { weight: 0, costMinor: 10n }),
    route('c', { weight: 5 }),
  ];
  assert.deepEqual(chooseRail(routes, rails, PAYOUT, never), chosen('c'));
  assert.deepEqual(chooseRail(routes, rails.slice(0, 2), PAYOUT, never), chosen('b'));
});

test('weights give exact shares, because each random number belongs to one rail', () => {
  const routes = [route('a', { weight: 3 }), route('b', { weight: 1 }), route('b', { weight: 1 })];
  const drawn = [0, 1, 2, 3].map((n) => {
    const choice = chooseRail(routes, [rail('a'), rail('b')], PAYOUT, (below) => {
      assert.equal(below, 4);
      return n;
    });
    return choice.kind === 'chosen' && choice.rail;
  });
  assert.deepEqual(drawn, ['a', 'a', 'a', 'b']);
});

test('for random tables, the chosen rail can make the payout, and no other such rail has a better priority', () => {
  const dice = makeDice('routes');
  for (let round = 0; round < 3_000; round++) {
    const rails = ['a', 'b', 'c', 'd'].slice(0, dice.between(0, 4)).map((name) =>
      rail(name, {
        isPaused: dice.percent(20),
        leftMinor: dice.percent(50) ? null : BigInt(dice.between(0, 20)),
        freeMinor: BigInt(dice.between(0, 30)),
        reachesBank: !dice.percent(10),
      }),
    );
    const routes = Array.from({ length: dice.between(0, 6) }, (_, id) =>
      route(dice.pick(['a', 'b', 'c', 'd']), {
        ...{ id, priority: dice.between(1, 3), weight: dice.between(0, 3), enabled: !dice.percent(20) },
        minMinor: dice.percent(50) ? null : BigInt(dice.between(1, 10)),
        maxMinor: dice.percent(50) ? null : BigInt(dice.between(5, 20)),
        bankCodes: dice.percent(60) ? null : ['access'],
      }),
    );
    const payout: PayoutFacts = {
      amountMinor: BigInt(dice.between(1, 20)),
      bankCode: dice.pick(['access', 'gtb']),
      tried: dice.percent(30) ? ['a'] : [],
    };
    const { amountMinor: amount } = payout;
    const canTake = ({ rail: name, isPaused, leftMinor, freeMinor, reachesBank }: RailFacts) =>
      !isPaused &&
      reachesBank &&
      freeMinor >= amount &&
      (leftMinor === null || leftMinor >= amount) &&
      !payout.tried.includes(name);
    const ranks = rails.filter(canTake).flatMap((facts, place) => {
      if (routes.length === 0) return [{ rail: facts.rail, priority: place }];
      return routes.filter(
        (each) =>
          each.rail === facts.rail &&
          each.enabled &&
          amount >= (each.minMinor ?? 0n) &&
          amount <= (each.maxMinor ?? amount) &&
          (each.bankCodes?.includes(payout.bankCode) ?? true),
      );
    });
    const choice = chooseRail(routes, rails, payout, (below) => dice.between(0, below - 1));
    if (choice.kind === 'none') {
      assert.deepEqual(ranks, []);
      const names = new Set([...rails, ...routes].map((each) => each.rail));
      assert.deepEqual(new Set(choice.why.map((each) => each.rail)), names);
    } else {
      const best = Math.min(...ranks.map(({ priority }) => priority));
      assert.ok(ranks.some((each) => each.rail === choice.rail && each.priority === best));
    }
  }
});
