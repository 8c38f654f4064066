// Tests that a process uses the clock of its database, even if the clock of this machine is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../test/http/store-fixtures.ts';
import { freshDatabase } from '../../test/support/database.ts';
import { startDatabaseClock } from './system.ts';

const database = openTestDatabase(await freshDatabase(), 1);
const TEN_MINUTES_MS = 600_000;

/**
 * Returns the difference between a clock and the database's clock. It is only the time of one query if they agree, and about
 * ten minutes if they do not.
 */
async function apartMs(clock: { now(): number }): Promise<number> {
  const { rows } = await database.query<{ now: Date }>({ text: 'select clock_timestamp() as now' });
  return Math.abs(clock.now() - rows[0]!.now.getTime());
}

for (const skewMs of [TEN_MINUTES_MS, -TEN_MINUTES_MS]) {
  test(`threat 62: a machine uses the database time even if its clock is ${skewMs / 60_000} minutes off at start or is changed later`, async (t) => {
    const real = Date.now;
    t.after(() => {
      Date.now = real;
    });
    const before = await startDatabaseClock(database, assert.ifError);
    Date.now = () => real() + skewMs;
    const after = await startDatabaseClock(database, assert.ifError);
    for (const clock of [before, after]) {
      assert.ok((await apartMs(clock)) < TEN_MINUTES_MS / 2);
      assert.ok(Number.isInteger(clock.now()));
      clock.close();
    }
  });
}

test('a measurement that is a few milliseconds behind does not set the time back, and a database clock that was set back is followed', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const START_MS = Date.UTC(2026, 10, 2);
  const HOUR_MS = 3_600_000;
  const measured = [START_MS, START_MS - 500, START_MS - HOUR_MS];
  const query = async () => ({ rows: [{ now: new Date(measured.shift()!) }] });
  const clock = await startDatabaseClock({ ...database, query } as never, assert.ifError);
  const measureAgain = async () => {
    t.mock.timers.tick(10_000);
    await new Promise(setImmediate);
  };
  const first = clock.now();
  await measureAgain();
  assert.ok(clock.now() >= first);
  await measureAgain();
  assert.ok(clock.now() < first - HOUR_MS / 2);
  clock.close();
});

test('an answer that was slow does not move the time further than it proves', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const START_MS = Date.UTC(2026, 10, 2);
  let [sendMs, answerMs] = [0, 0];
  const query = async () => {
    nowMs += sendMs;
    const now = new Date(START_MS + nowMs);
    nowMs += answerMs;
    return { rows: [{ now }] };
  };
  const clock = await startDatabaseClock({ ...database, query } as never, assert.ifError);
  const errors: number[] = [];
  for ([sendMs, answerMs] of [
    [0, 0],
    [6_000, 0],
    [0, 6_000],
    [300, 20],
  ] as const) {
    t.mock.timers.tick(10_000);
    await new Promise(setImmediate);
    errors.push(clock.now() - START_MS - nowMs);
  }
  assert.deepEqual(errors, [0, 0, 0, 0]);
  clock.close();
});
