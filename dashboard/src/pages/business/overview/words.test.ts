import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DayFigures } from '../../../api/console-types.ts';
import { addNaira, completedShare, requiredActions, seconds, todayDetail, todaySentence } from './words.ts';

const NOTHING: DayFigures = {
  ...{ day: '2026-11-14', buys: 0, sells: 0, buy_volume: '0.00', sell_volume: '0.00' },
  ...{ completed: 0, open: 0, on_hold: 0, failed: 0, refunded: 0, lapsed: 0 },
};

test('the summary of today is one sentence with the exact volume of buys and sells', () => {
  const today = { ...NOTHING, buys: 80, sells: 1, buy_volume: '12449999.99', sell_volume: '0.01' };
  assert.equal(todaySentence(today), '₦12,450,000.00 in 80 buys and 1 sell today');
  assert.equal(todaySentence(NOTHING), 'No transactions yet today');
  assert.equal(addNaira('90071992547409.93', '0.07'), '90071992547410.00');
});

test('the share counts only finished transactions, and is 100 % only if all of them completed', () => {
  assert.equal(completedShare(NOTHING), null);
  assert.equal(completedShare({ ...NOTHING, completed: 83, failed: 1, open: 9 }), '98.8 %');
  assert.equal(completedShare({ ...NOTHING, completed: 9_999, lapsed: 1 }), '99.9 %');
  assert.equal(completedShare({ ...NOTHING, completed: 3 }), '100 %');
  const today = { ...NOTHING, buys: 5, completed: 3, failed: 1, open: 1 };
  assert.equal(
    todayDetail(today, 41.2),
    '75 % of finished transactions completed; median 41 s from payment to delivery; 1 in progress.',
  );
  assert.deepEqual([seconds(0.42), seconds(9.96), seconds(75)], ['0.4 s', '10 s', '1 min']);
});

test('only actions with a count above zero are listed', () => {
  const none = { awaiting_wallet: 0, awaiting_trustline: 0, on_hold: 0, payout_failed: 0 };
  const waiting = { ...none, endpoints_disabled: 0, deliveries_failed: 0 };
  assert.deepEqual(requiredActions(waiting), []);
  assert.deepEqual(
    requiredActions({ ...waiting, on_hold: 2 }).map(({ label, count }) => [label, count]),
    [['On hold', 2]],
  );
});
