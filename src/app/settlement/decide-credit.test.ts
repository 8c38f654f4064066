// Tests open and cancelled claims. A payment for a cancelled buy is refunded, even if its payer has many open buys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { credit as credited } from '../../../test/http/settlement-fixtures.ts';
import { NOW, transaction } from '../../../test/http/store-fixtures.ts';
import { CURRENT_MATCHING_RULES, findMatchingRules } from '../../domain/matching/rules.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { decideCredit } from './decide-credit.ts';

const PAYER = '0123456785';
const AMOUNT = 2_000_000n;
const DAY_MS = 86_400_000;

const credit = credited({ payerAccount: PAYER, amountMinor: AMOUNT, narration: null, receivedAtMs: NOW });
const claim = (changes: Partial<Transaction>) =>
  transaction({ accountNumber: PAYER, amountMinor: AMOUNT, createdAtMs: NOW - 1_000, ...changes });
const others = (count: number) =>
  Array.from({ length: count }, (_, no) => claim({ amountMinor: AMOUNT + 1n + BigInt(no) }));

function decide(
  claims: readonly Transaction[],
  changes: {
    readonly version?: number;
    readonly more?: boolean;
    readonly nowMs?: number;
    readonly narration?: string;
  } = {},
): string {
  const {
    version = CURRENT_MATCHING_RULES.version,
    more = false,
    nowMs = NOW + DAY_MS,
    narration = null,
  } = changes;
  const found = { claims, equalCredits: [credit.id], more, parts: [] };
  const around = { nowMs, windowMs: 7 * DAY_MS, graceMs: 600_000, rules: findMatchingRules(version)! };
  const { decision, refundReason } = decideCredit({ ...credit, narration }, found, around);
  const { verdict } = decision;
  return [verdict.kind, 'exception' in verdict ? verdict.exception : null, refundReason]
    .filter((word) => word !== null)
    .join(' ');
}

test('a payment for a cancelled buy is refunded, even if its payer has many other open buys', () => {
  const cancelled = claim({ state: 'cancelled' });
  for (const count of [0, 1, 2, 25, 26, 60]) {
    const claims = [...others(count), cancelled];
    assert.equal(decide(claims), 'matched paid_after_cancel', `${count} others`);
    assert.equal(decide(claims, { nowMs: NOW }), 'matched paid_after_cancel', `${count} others, at once`);
  }
  assert.equal(decide([...others(60), cancelled], { more: true }), 'matched paid_after_cancel');
  assert.equal(decide([...others(60), cancelled], { version: 1 }), 'review ambiguous');
  assert.equal(decide([...others(60), cancelled], { version: 1, more: true }), 'review ambiguous');
});

test('an open buy of the same amount has priority, and so does a buy that the payer names in the narration', () => {
  const cancelled = claim({ state: 'cancelled' });
  assert.equal(decide([claim({}), cancelled]), 'matched');
  assert.equal(decide([claim({}), ...others(30), cancelled], { more: true }), 'review ambiguous');
  const named = claim({ amountMinor: AMOUNT + 5n, reference: 'ORDER-7788' });
  assert.equal(decide([named, cancelled], { narration: 'order 7788' }), 'attached paid_partial');
  assert.equal(decide([named, cancelled]), 'matched paid_after_cancel');
});

test('a person decides between two cancelled buys of the same amount', () => {
  const claims = [claim({ state: 'cancelled' }), claim({ state: 'cancelled', businessId: 'biz_two' })];
  assert.equal(decide(claims), 'review no_claim');
});
