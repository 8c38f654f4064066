// Tests with examples what the answers of a rail prove. Each row of the table in docs/operate/rails.md is compared with the
// decision.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  decideOutcome,
  EMPTY_MEMORY,
  MIN_NOT_FOUND_ANSWERS,
  type OutcomeMemory,
  type PayoutStatus,
  type PayoutVerdict,
  type RailCall,
} from './payout-outcome.ts';
import { callLeaseMs, leastConfirmMs, type RailTerms, SIMULATED_TERMS, termsOfRail } from './terms.ts';

const MINUTE = 60_000;
const TERMS = termsOfRail({ timeoutMs: MINUTE });
const ORDERED = 1_000_000;
const PAID: PayoutStatus = { kind: 'paid', sessionId: null, chargeMinor: null };
const REFUSED: PayoutStatus = { kind: 'failed', reason: 'no money (51)', fault: 'rail' };
const UNKNOWN: PayoutStatus = { kind: 'unknown', reason: 'no answer' };

function call(called: RailCall['called'], afterMs: number, orderedMs = ORDERED): RailCall {
  const beganMs = orderedMs + afterMs;
  return {
    called,
    beganMs,
    endedMs: beganMs + 1_000,
    orderedMs,
    orderedUntilMs: orderedMs + callLeaseMs(TERMS),
  };
}

function play(
  answers: readonly (readonly [RailCall['called'], number, PayoutStatus])[],
  terms: RailTerms = TERMS,
): PayoutVerdict {
  let memory: OutcomeMemory = EMPTY_MEMORY;
  let verdict: PayoutVerdict | undefined;
  for (const [called, afterMs, status] of answers) {
    verdict = decideOutcome(status, call(called, afterMs), memory, terms);
    if ('memory' in verdict) memory = verdict.memory;
  }
  return verdict!;
}

const REFUSAL = ['ordered_first', 0, REFUSED] as const;
const NOT_FOUND: PayoutStatus = { kind: 'not_found' };
const FIRST = 1_000 + TERMS.confirmAfterMs;
const SECOND = FIRST + TERMS.confirmAgainMs;

test('threat 97: a refusal ends a payout only after two queries, each late enough, that return failed or not found', () => {
  assert.equal(play([REFUSAL]).kind, 'making_sure');
  for (const said of [REFUSED, NOT_FOUND]) {
    assert.equal(play([REFUSAL, ['asked', FIRST, said]]).kind, 'making_sure');
    assert.equal(play([REFUSAL, ['asked', FIRST, said], ['asked', SECOND, said]]).kind, 'unpaid');
    assert.equal(play([REFUSAL, ['asked', FIRST - 1, said], ['asked', SECOND, said]]).kind, 'making_sure');
    assert.equal(play([REFUSAL, ['asked', FIRST, said], ['asked', SECOND - 1, said]]).kind, 'making_sure');
  }
  const early = Array.from(
    { length: 50 },
    (_, second) => ['asked', 2_000 + second * 1_000, REFUSED] as const,
  );
  assert.equal(play([REFUSAL, ...early]).kind, 'making_sure', 'however often it is said too early');
});

test('while a refusal is being confirmed, paid counts at once; pending and unknown restart the confirmation', () => {
  const confirmed = [REFUSAL, ['asked', FIRST, REFUSED]] as const;
  assert.deepEqual(play([...confirmed, ['asked', SECOND, PAID]]), { kind: 'paid', isBrokenWord: true });
  const lost = [...confirmed, ['asked', SECOND, UNKNOWN]] as const;
  const again = SECOND + 1_000 + TERMS.confirmAfterMs;
  assert.equal(play([...lost, ['asked', SECOND + MINUTE, REFUSED]]).kind, 'making_sure');
  assert.equal(play([...lost, ['asked', again, REFUSED]]).kind, 'making_sure', 'only the first of two');
  assert.equal(
    play([...lost, ['asked', again, REFUSED], ['asked', again + TERMS.confirmAgainMs, REFUSED]]).kind,
    'unpaid',
  );
  const pending = [...confirmed, ['asked', SECOND, { kind: 'pending' }]] as const;
  assert.equal(play([...pending, ['asked', again, NOT_FOUND]]).kind, 'unknown', 'the refusal is taken back');
});

test('not found without a refusal never ends a payout: it is ordered again if that is safe, and otherwise people decide', () => {
  const asks = (count: number) =>
    Array.from(
      { length: count },
      (_, no) => ['asked', TERMS.repeatAfterMs + no * MINUTE, NOT_FOUND] as const,
    );
  const early = Array.from({ length: 20 }, () => ['asked', TERMS.repeatAfterMs - 1, NOT_FOUND] as const);
  const once = termsOfRail({ timeoutMs: MINUTE, repeats: 'paid_once' });
  assert.equal(play(early, once).kind, 'unknown', 'the order may be on its way');
  assert.equal(play(asks(MIN_NOT_FOUND_ANSWERS - 1), once).kind, 'unknown');
  assert.equal(play(asks(MIN_NOT_FOUND_ANSWERS), once).kind, 'order_again');
  assert.equal(play(asks(500)).kind, 'people');
});

test('not sent is a proof only if it was the first order of the attempt', () => {
  const unsent: PayoutStatus = { kind: 'not_sent', reason: 'refused' };
  assert.equal(play([['ordered_first', 0, unsent]]).kind, 'unpaid');
  assert.equal(play([['ordered_again', 0, unsent]]).kind, 'unknown');
});

test('a refusal in a status query counts from the time when no order can be in transit any more', () => {
  const verdict = play([['asked', 5_000, REFUSED]]);
  assert.ok(verdict.kind === 'making_sure');
  assert.equal(verdict.memory.refusal!.sinceMs, ORDERED + callLeaseMs(TERMS));
});

test('every real rail waits at least its time-out plus a minute before the first confirmation, and five minutes before the second', () => {
  for (const timeoutMs of [1_000, 60_000, 120_000])
    for (const confirmAfterMs of [0, 1, 10_000, 10 * MINUTE]) {
      const terms = termsOfRail({ timeoutMs, confirmAfterMs });
      assert.ok(terms.confirmAfterMs >= leastConfirmMs(timeoutMs));
      assert.ok(terms.confirmAgainMs >= 5 * MINUTE);
      assert.ok(terms.repeatAfterMs >= 2 * timeoutMs);
      assert.equal(terms.repeats, 'not_promised');
      assert.equal(callLeaseMs(terms), timeoutMs + 30_000);
    }
  assert.deepEqual([SIMULATED_TERMS.confirmAfterMs, SIMULATED_TERMS.confirmAgainMs], [1_000, 1_000]);
});

const SAID: Readonly<Record<string, PayoutStatus>> = {
  paid: PAID,
  returned: { kind: 'returned', reason: 'reversed' },
  pending: { kind: 'pending' },
  refused: REFUSED,
  'not sent': { kind: 'not_sent', reason: 'no connection' },
  'not found': NOT_FOUND,
  'nothing, or unclear': UNKNOWN,
};
const WHEN: Readonly<Record<string, readonly (readonly [RailCall['called'], number, PayoutStatus])[]>> = {
  'the first order': [],
  'a repeated order': [],
  'a question, nothing said before': [],
  'a question, refused before, too early': [REFUSAL],
  'a question, refused before, late enough': [REFUSAL],
  'a question, refused and confirmed once, late enough': [REFUSAL, ['asked', FIRST, REFUSED]],
};
const ASKED: Readonly<Record<string, readonly [RailCall['called'], number]>> = {
  'the first order': ['ordered_first', 0],
  'a repeated order': ['ordered_again', 0],
  'a question, nothing said before': ['asked', 5_000],
  'a question, refused before, too early': ['asked', 5_000],
  'a question, refused before, late enough': ['asked', FIRST],
  'a question, refused and confirmed once, late enough': ['asked', SECOND],
};
const THEN: Readonly<Record<string, PayoutVerdict['kind']>> = {
  paid: 'paid',
  returned: 'returned',
  ask: 'unknown',
  'in progress': 'pending',
  confirm: 'making_sure',
  unpaid: 'unpaid',
};

test('the table in docs/operate/rails.md shows the next step after every response', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../docs/operate/rails.md'), 'utf8');
  const table = text.split('<!-- outcomes -->')[1]!.split('<!-- /outcomes -->')[0]!;
  const [header, , ...rows] = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const said = header!.slice(1);
  assert.deepEqual(said, Object.keys(SAID));
  assert.deepEqual(
    rows.map(([when]) => when),
    Object.keys(WHEN),
  );
  for (const [when, ...cells] of rows)
    for (const [index, cell] of cells.entries()) {
      const answers = [...WHEN[when!]!, [...ASKED[when!]!, SAID[said[index]!]!] as const];
      if (cell === '-') continue;
      const { kind } = play(answers);
      assert.equal(kind, THEN[cell], `${when}, ${said[index]}: "${cell}"`);
    }
});
