// Tests how the service records the last use of a key. It writes the first use soon and later uses once a minute per key, and
// no request waits for this.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../test/http/helpers.ts';
import { databaseWithKeys } from '../../test/http/store-fixtures.ts';
import { makeKeyUses } from '../adapters/postgres/back-office/keys.ts';
import type { KeyUses } from '../ports/back-office.ts';
import { startKeyUseRecorder } from './note-key-uses.ts';

const { database } = await databaseWithKeys();
const stored = makeKeyUses(database);
const fail = (error: Error) => {
  throw error;
};

async function lastUsed(keyId: string): Promise<number | undefined> {
  const { rows } = await database.query<{ last_used_at: Date }>({
    text: 'select last_used_at from api_key_uses where key_id = $1',
    values: [keyId],
  });
  return rows[0]?.last_used_at.getTime();
}

test('the first use of a key is written in the next run, later uses once a minute, and the last use when the process stops', async () => {
  let nowMs = Date.parse('2026-11-16T09:00:00Z');
  const startMs = nowMs;
  const batches: string[][] = [];
  const keyUses: KeyUses = {
    note: (uses) => {
      batches.push([...uses.keys()]);
      return stored.note(uses);
    },
  };
  const notes = startKeyUseRecorder(
    { keyUses, clock: { now: () => nowMs }, onError: fail },
    { turnMs: 1, keyMs: 60_000 },
  );
  for (let i = 0; i < 100; i++) notes.used('key_a');
  await eventually(async () => (await lastUsed('key_a')) === startMs, 'the first use is written');
  nowMs += 59_999;
  notes.used('key_a');
  notes.used('key_b');
  await eventually(async () => (await lastUsed('key_b')) === nowMs, 'the use of another key is written');
  assert.equal(await lastUsed('key_a'), startMs, 'the same key is not written twice in a minute');
  nowMs += 1;
  await eventually(async () => (await lastUsed('key_a')) === nowMs - 1, 'a minute later it is');
  assert.deepEqual(batches, [['key_a'], ['key_b'], ['key_a']]);
  nowMs += 5;
  notes.used('key_a');
  await notes.stop();
  assert.equal(await lastUsed('key_a'), nowMs);
});

test('an older time changes nothing, and while the database is unreachable a running process loses no use of a key', async () => {
  await stored.note(new Map([['key_c', 2_000]]));
  await stored.note(new Map([['key_c', 1_000]]));
  assert.equal(await lastUsed('key_c'), 2_000);
  let away = true;
  const errors: Error[] = [];
  const keyUses: KeyUses = { note: (uses) => (away ? Promise.reject(new Error('away')) : stored.note(uses)) };
  const clock = { now: () => 3_000 };
  const notes = startKeyUseRecorder(
    { keyUses, clock, onError: (error) => errors.push(error) },
    { turnMs: 1, keyMs: 60_000 },
  );
  notes.used('key_c');
  await eventually(() => errors.length > 1, 'the failure is reported');
  away = false;
  await eventually(async () => (await lastUsed('key_c')) === 3_000, 'the use is written afterwards');
  await notes.stop();
});
