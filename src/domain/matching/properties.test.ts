// Tests properties of matching for any credit and any set of claims. Most values belong to one payer, so that claims compete.
// Each property counts its cases, so that it fails if there was no case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MatchVerdict } from '../records/match-decision.ts';
import type { ClaimFacts, CreditFacts } from './facts.ts';
import { matchCredit } from './match-credit.ts';
import { findMatchingRules, MATCHING_RULE_VERSIONS } from './rules.ts';

const DAY_MS = 86_400_000;
const T0 = 100 * DAY_MS + 10 * 3_600_000;

function mostly<Value>(usual: Value, ...others: Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(...others) },
  );
}

const amount = mostly(1_500_000n, 1_500_001n, 1_400_000n);
const name = mostly<string | null>(
  'Adebayo Musa',
  null,
  'MUSA',
  'Okafor Emeka',
  'Аdebayo Musa',
  'Adebayo M\u200busa',
);
const atMs = mostly(T0, T0 - 8 * DAY_MS, T0 - DAY_MS, T0 + 5, T0 + 2 * DAY_MS, T0 + 8 * DAY_MS);
const bank = mostly<string | null>('gtbank', null, 'zenith');
const anyCredit: fc.Arbitrary<CreditFacts> = fc.record({
  id: fc.constantFrom('crd_1', 'crd_2'),
  amountMinor: amount,
  payerAccount: mostly<string | null>('0123450011', '******0011', '******0011', '9999999999', null),
  payerName: name,
  payerBankCode: bank,
  narration: mostly<string | null>('rent', 'INV-2026-01', 'ORDER-77', null),
  valueAtMs: atMs,
  receivedAtMs: atMs,
});
const anyClaim: fc.Arbitrary<ClaimFacts> = fc
  .record({
    reference: fc.constantFrom('INV-2026-01', 'ORDER-77', 'x'),
    businessId: mostly('biz_1', 'biz_2'),
    walletKey: mostly<string | null>('Polygon 0x1', 'Polygon 0x2', null),
    amountMinor: amount,
    receivedMinor: mostly(0n, 100_000n),
    parts: mostly<ClaimFacts['parts']>([], [{ creditId: 'crd_9', amountMinor: 1_400_000n }]),
    accountNumber: mostly('0123450011', '5555550011', '9999999999'),
    accountName: name,
    bankCode: bank,
    flags: mostly<string[]>([], ['mixed_script'], ['check_digit']),
    state: mostly('awaiting_payment', 'expired', 'paid'),
    createdAtMs: atMs,
  })
  .map((facts) => ({ ...facts, transactionId: '', expiresAtMs: facts.createdAtMs + DAY_MS }));
const anyClaims = fc
  .array(anyClaim, { maxLength: 5 })
  .map((list) => list.map((facts, place) => ({ ...facts, transactionId: `txn_${place}` })));
const anyContext = fc.record({
  nowMs: fc.constantFrom(T0, T0 + 9 * DAY_MS),
  windowMs: fc.constantFrom(7 * DAY_MS, DAY_MS),
  graceMs: fc.constant(600_000),
  rules: fc.constantFrom(...MATCHING_RULE_VERSIONS.map((version) => findMatchingRules(version)!)),
  equalCredits: fc.constantFrom(['crd_1'], ['crd_1', 'crd_2'], ['crd_2', 'crd_1', 'crd_3'], []),
});
const MANY = { numRuns: 3000 };

function pays(
  given: MatchVerdict,
): given is Extract<MatchVerdict, { readonly kind: 'matched' | 'completes' }> {
  return given.kind === 'matched' || given.kind === 'completes';
}

function expectSeen(count: number): void {
  assert.ok(count >= 100, `only ${count} of the cases were of the kind in question`);
}

test('the order of the claims does not change the decision', () => {
  const shuffled = anyClaims.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(anyCredit, shuffled, anyContext, (paid, [list, other], around) => {
      assert.deepEqual(matchCredit(paid, other, around), matchCredit(paid, list, around));
    }),
    MANY,
  );
});

test('a matched claim is open, has the exact amount, is within the window and has no suspicious name', () => {
  const lookAlike = (text: string | null) => text !== null && /[^\x20-\x7e]/.test(text);
  let count = 0;
  fc.assert(
    fc.property(anyCredit, anyClaims, anyContext, (paid, list, around) => {
      const given = matchCredit(paid, list, around).verdict;
      if (!pays(given)) return;
      count += 1;
      const own = list.find((one) => one.transactionId === given.transactionId)!;
      const paidAtMs = Math.min(paid.valueAtMs, paid.receivedAtMs);
      const together = given.kind === 'completes' ? given.with : [];
      const partsMinor = own.parts
        .filter(({ creditId }) => together.includes(creditId))
        .reduce((sum, part) => sum + part.amountMinor, own.receivedMinor);
      assert.equal(partsMinor + paid.amountMinor, own.amountMinor);
      assert.ok(given.kind === 'matched' || partsMinor > 0n);
      assert.ok(Math.abs(paidAtMs - own.createdAtMs) <= around.windowMs);
      assert.equal(given.exception === 'paid_late', paidAtMs > own.expiresAtMs);
      assert.notEqual(own.state, 'paid');
      assert.ok(!lookAlike(paid.payerName) && !lookAlike(own.accountName));
      assert.ok(!own.flags.includes('mixed_script'));
      const wholeNumber = paid.payerAccount === own.accountNumber;
      const suffix = own.accountNumber.endsWith((paid.payerAccount ?? '').replaceAll('*', ''));
      assert.ok(wholeNumber || suffix);
    }),
    MANY,
  );
  expectSeen(count);
});

test('threat 16: adding an equal claim of another business never turns an ambiguous credit into a match', () => {
  let count = 0;
  fc.assert(
    fc.property(anyCredit, anyClaims, anyContext, fc.nat(), (paid, list, around, pick) => {
      const before = matchCredit(paid, list, around).verdict;
      if (before.kind !== 'review' || before.exception !== 'ambiguous') return;
      count += 1;
      const copied = before.transactionIds[pick % before.transactionIds.length];
      const original = list.find((one) => one.transactionId === copied)!;
      const copy = { ...original, transactionId: 'txn_copy', businessId: 'biz_3', walletKey: 'Polygon 0x3' };
      assert.ok(!pays(matchCredit(paid, [...list, copy], around).verdict));
    }),
    MANY,
  );
  expectSeen(count);
});

test('threat 16: a new claim of another business never gets the match instead, unless the narration names it', () => {
  let count = 0;
  fc.assert(
    fc.property(anyCredit, anyClaims, anyContext, anyClaim, (paid, list, around, facts) => {
      const before = matchCredit(paid, list, around).verdict;
      if (!pays(before)) return;
      count += 1;
      const intruder = { ...facts, transactionId: 'txn_new', businessId: 'biz_3', reference: 'x' };
      const after = matchCredit(paid, [...list, intruder], around).verdict;
      assert.ok(!pays(after) || after.transactionId === before.transactionId);
    }),
    MANY,
  );
  expectSeen(count);
});

test('threat 21: without a reference, one credit never matches one of two equal claims', () => {
  let count = 0;
  fc.assert(
    fc.property(anyCredit, anyClaim, anyContext, fc.boolean(), (paid, facts, around, sameBusiness) => {
      const one = { ...facts, transactionId: 'txn_1', reference: 'x' };
      const two = { ...one, transactionId: 'txn_2', businessId: sameBusiness ? one.businessId : 'biz_3' };
      const given = matchCredit(paid, [one, two], { ...around, equalCredits: [paid.id] }).verdict;
      if (given.kind === 'review' && given.exception === 'ambiguous') count += 1;
      assert.ok(given.kind === 'review' || given.kind === 'wait');
    }),
    MANY,
  );
  expectSeen(count);
});
