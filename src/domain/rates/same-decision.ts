// Decides whether a decision equals the previous one, and makes the rate book that is served from a decision. A source that
// repeats its number only extends the validity of a value. The longer validity is stored only when it is needed, not at every
// report.
import type { BoardBook, BoardValue } from './board.ts';
import type { RateCandidate, RateDecision, RateGap, ValueDecision } from './rate-decision.ts';
import type { Currency } from './rates.ts';

/**
 * Whether the stored decision is still sufficient. It must have the same values, gaps, sources, numbers and verdicts. Its
 * expiry must not be later than the new one, and must be late enough that readers keep a value.
 */
export function isSameDecision(stored: RateDecision, fresh: RateDecision): boolean {
  return (
    hasSameValues(stored, fresh) &&
    fresh.values.every((value) => {
      const before = findValueDecision(stored, value.currency)!;
      return hasSameCandidates(before, value) && lastsLongEnough(before, value, fresh.atMs);
    })
  );
}

export function hasSameValues(a: RateDecision, b: RateDecision): boolean {
  if (a.product !== b.product || a.values.length !== b.values.length) return false;
  return a.values.every((value) => {
    const other = findValueDecision(b, value.currency);
    return other !== undefined && value.valueE4 === other.valueE4 && value.gap === other.gap;
  });
}

function findValueDecision({ values }: RateDecision, currency: Currency): ValueDecision | undefined {
  return values.find((value) => value.currency === currency);
}

function hasSameCandidates(
  { candidates: before }: ValueDecision,
  { candidates: now }: ValueDecision,
): boolean {
  return (
    before.length === now.length &&
    now.every((candidate) => before.some((other) => isSameCandidate(candidate, other)))
  );
}

function isSameCandidate(a: RateCandidate, b: RateCandidate): boolean {
  return (
    a.source === b.source && a.verdict === b.verdict && a.crossed === b.crossed && a.valueE4 === b.valueE4
  );
}

/** Whether the stored expiry is at most the new expiry, and at least half of the new validity is left. */
function lastsLongEnough(stored: ValueDecision, fresh: ValueDecision, nowMs: number): boolean {
  if (stored.validUntilMs === null || fresh.validUntilMs === null) {
    return stored.validUntilMs === fresh.validUntilMs;
  }
  if (stored.validUntilMs > fresh.validUntilMs) return false;
  return (stored.validUntilMs - nowMs) * 2 >= fresh.validUntilMs - nowMs;
}

export function makeBoardBook(decision: RateDecision, decisionId: string, changedAtMs: number): BoardBook {
  const values: Partial<Record<Currency, BoardValue>> = {};
  const gaps: Partial<Record<Currency, RateGap>> = {};
  for (const { currency, valueE4, validUntilMs, gap, candidates } of decision.values) {
    if (valueE4 === null) {
      gaps[currency] = gap ?? 'no_source';
      continue;
    }
    const used = candidates.filter(({ verdict }) => verdict === 'used');
    const sources = used.map(({ source: name, valueE4: own, asOfMs }) => ({ name, valueE4: own, asOfMs }));
    values[currency] = { valueE4, validUntilMs, sources };
  }
  return { decisionId, changedAtMs, values, gaps };
}
