// Tests when a rail is paused and resumed. Both depend on the share of bad outcomes and on consecutive probes, and each pause
// is longer than the one before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findHealthProblem,
  type HealthState,
  judgeHealth,
  pauseMs,
  type RailFigures,
  successPercent,
} from './health.ts';

const QUIET: RailFigures = {
  ...{ landed: 0, refused: 0, failed: 0, unknown: 0, underWay: 0, p50Ms: null, p95Ms: null },
};
const WELL: HealthState = { goodProbes: 9, badProbes: 0, pauses: 0, pausedAtMs: null, judgedFromMs: 0 };
const MINUTE = 60_000;

test('a rail is unhealthy when, of at least five attempts, more than half failed because of the rail or have an unknown outcome', () => {
  const sick = (figures: Partial<RailFigures>) =>
    findHealthProblem({ ...QUIET, ...figures }, 0, null) !== null;
  assert.equal(sick({ failed: 4 }), false, 'four attempts say nothing yet');
  assert.equal(sick({ failed: 3, landed: 3 }), false, 'half is not more than half');
  assert.equal(sick({ failed: 2, unknown: 2, landed: 3 }), true);
  assert.equal(sick({ unknown: 5 }), true);
  assert.equal(sick({ refused: 9 }), false, 'a refusal of the payout is no fault of the rail');
  assert.equal(sick({ underWay: 50, failed: 3, landed: 1 }), false, 'what is in progress says nothing');
});

test('three failed probes in a row pause a rail; a successful probe restarts the count', () => {
  const bad = (state: HealthState) => judgeHealth(state, QUIET, 'connection refused', MINUTE);
  const second = bad(bad(WELL).next);
  assert.deepEqual([second.pause, second.next.badProbes], [null, 2]);
  assert.equal(judgeHealth(second.next, QUIET, null, MINUTE).next.badProbes, 0);
  const third = bad(second.next);
  assert.match(third.pause ?? '', /3 probes in a row failed: connection refused/);
  assert.deepEqual([third.next.pausedAtMs, third.next.pauses, third.next.goodProbes], [MINUTE, 1, 0]);
});

test('three successful probes in a row resume a paused rail, but never before its pause has ended', () => {
  const paused: HealthState = { ...WELL, goodProbes: 0, pauses: 1, pausedAtMs: 0 };
  const at = (goodProbes: number, atMs: number) => judgeHealth({ ...paused, goodProbes }, QUIET, null, atMs);
  assert.equal(at(1, 10 * MINUTE).resumed, false);
  assert.equal(at(2, 2 * MINUTE - 1).resumed, false);
  const over = at(2, 2 * MINUTE);
  assert.equal(over.resumed, true);
  assert.deepEqual([over.next.pausedAtMs, over.next.judgedFromMs], [null, 2 * MINUTE]);
  const failing = judgeHealth({ ...paused, goodProbes: 2 }, QUIET, 'time-out', 10 * MINUTE);
  assert.deepEqual([failing.resumed, failing.pause, failing.next.goodProbes], [false, null, 0]);
});

test('each further pause is longer, up to an hour, until the rail has been healthy for two hours', () => {
  assert.deepEqual(
    [1, 2, 3, 6, 7, 50].map(pauseMs),
    [2, 4, 8, 60, 60, 60].map((each) => each * MINUTE),
  );
  const again: HealthState = { ...WELL, pauses: 3 };
  assert.equal(judgeHealth(again, QUIET, null, 119 * MINUTE).next.pauses, 3);
  assert.equal(judgeHealth(again, QUIET, null, 120 * MINUTE).next.pauses, 0);
});

test('a refusal because of the payout counts as a success in the success rate, and the rate is null without attempts', () => {
  assert.equal(successPercent(QUIET), null);
  assert.equal(successPercent({ ...QUIET, landed: 5, refused: 1, failed: 2, unknown: 1 }), 66);
});
