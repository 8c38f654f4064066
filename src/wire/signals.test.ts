// Tests that a store that signals its commits behaves like a store without signals: it stores the position of a feed together
// with the lines of the feed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseWithKeys, NOW } from '../../test/http/store-fixtures.ts';
import { makePostgresStore } from '../adapters/postgres/store.ts';
import { signalCommits } from './signals.ts';

test('a commit sends a signal, and stores the position of the feed that was read', async () => {
  const { database } = await databaseWithKeys();
  let announced = 0;
  const store = signalCommits(makePostgresStore(database), { committed: () => void announced++ });
  const feed = ['bank test announced', 'this process', NOW, 10_000] as const;
  const hold = (await store.holdFeed(...feed))!;
  assert.equal(hold.position, null);
  await store.commit([], { hold, position: '7' });
  assert.equal((await store.holdFeed(...feed))!.position, '7');
  assert.equal(announced, 1);
});
