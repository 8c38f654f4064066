// A credit and a claim that match. Each test changes them, and the helpers write each verdict as one line of text.
import assert from 'node:assert/strict';
import type { ClaimFacts, CreditFacts } from '../../../src/domain/matching/facts.ts';
import { type MatchContext, matchCredit } from '../../../src/domain/matching/match-credit.ts';
import { CURRENT_MATCHING_RULES } from '../../../src/domain/matching/rules.ts';
import type { MatchVerdict } from '../../../src/domain/records/match-decision.ts';

export const DAY_MS = 86_400_000;
/** A time in the middle of a day, because a value date at midnight stands for the whole day. */
export const T0 = 100 * DAY_MS + 10 * 3_600_000;
export const GRACE_MS = 600_000;

export function credit(changes: Partial<CreditFacts> = {}): CreditFacts {
  return {
    id: 'crd_1',
    amountMinor: 1_500_000n,
    payerAccount: '0123450011',
    payerName: 'MUSA ADEBAYO',
    payerBankCode: 'gtbank',
    narration: 'NIP TRF rent',
    valueAtMs: T0 + 1000,
    receivedAtMs: T0 + 1000,
    ...changes,
  };
}

export function claim(transactionId = 'txn_a', changes: Partial<ClaimFacts> = {}): ClaimFacts {
  return {
    transactionId,
    reference: 'INV-2026-01',
    businessId: 'biz_1',
    walletKey: 'Polygon 0x1',
    amountMinor: 1_500_000n,
    receivedMinor: 0n,
    parts: [],
    accountNumber: '0123450011',
    accountName: 'Adebayo Musa',
    bankCode: 'gtbank',
    flags: [],
    state: 'awaiting_payment',
    createdAtMs: T0,
    expiresAtMs: T0 + DAY_MS,
    ...changes,
  };
}

/** The time is after the grace period, unless the test changes it. */
export function context(changes: Partial<MatchContext> = {}): MatchContext {
  return {
    nowMs: T0 + 1000 + GRACE_MS,
    windowMs: 7 * DAY_MS,
    graceMs: GRACE_MS,
    equalCredits: ['crd_1'],
    rules: CURRENT_MATCHING_RULES,
    ...changes,
  };
}

export function verdict(
  paid: Partial<CreditFacts>,
  claims: readonly ClaimFacts[],
  changes: Partial<MatchContext> = {},
): MatchVerdict {
  return matchCredit(credit(paid), claims, context(changes)).verdict;
}

/**
 * Writes a verdict as one line, for example `matched txn_a`, `held txn_a name_mismatch`, `review ambiguous txn_a txn_b` or
 * `wait`.
 */
export function line(given: MatchVerdict): string {
  if (given.kind === 'wait') return 'wait';
  if (given.kind === 'review')
    return ['review', given.exception, ...given.transactionIds.toSorted()].join(' ');
  return [given.kind, given.transactionId, ...(given.exception === null ? [] : [given.exception])].join(' ');
}

export const NO_PAYER: Partial<CreditFacts> = { payerAccount: null, payerName: null, payerBankCode: null };
export const NAMED: Partial<CreditFacts> = { narration: 'TRF inv 2026/01 thanks' };
export const MASKED: Partial<CreditFacts> = { payerAccount: '******0011' };
export const OTHER: Partial<CreditFacts> = { payerAccount: '9999999999' };

export type Row = readonly [paid: Partial<CreditFacts>, claimed: Partial<ClaimFacts>, expected: string];

export function expectRows(rows: readonly Row[]): void {
  for (const [paid, claimed, expected] of rows) {
    const about = JSON.stringify([paid, claimed], (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    assert.equal(line(verdict(paid, [claim('txn_a', claimed)])), expected, about);
  }
}
