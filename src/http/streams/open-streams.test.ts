// Tests open streams and their keys: a stream ends when its key expires or is revoked. A stream stays open while the keys
// cannot be read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/patience.ts';
import { afterFile } from '../../../test/support/sharing/file-group.ts';
import type { Catalogue, CatalogueSnapshot } from '../../ports/catalogue.ts';
import type { EventStream } from './event-stream.ts';
import { makeOpenStreams } from './open-streams.ts';

const LIMITS = { maxStreams: 3, streamsPerKey: 2, heartbeatMs: 1 };

function snapshotOf(keys: readonly { readonly id: string; readonly expiresAtMs: number | null }[]) {
  return { keysByHash: new Map(keys.map((key) => [key.id, key])) } as unknown as CatalogueSnapshot;
}

function stage(keys: Parameters<typeof snapshotOf>[0]) {
  const state = { snapshot: snapshotOf(keys) as CatalogueSnapshot | undefined, nowMs: 0 };
  const catalogue = { current: () => state.snapshot } as Catalogue;
  const streams = makeOpenStreams(LIMITS, { catalogue, clock: { now: () => state.nowMs } });
  afterFile(() => streams.close());
  /** Adds a stream of this key. The result records how the stream ended, and how often it was checked. */
  const open = (keyId: string) => {
    const seen = { ended: [] as string[], beats: 0 };
    const stream = { quietMs: () => 1, beat: () => seen.beats++, end: (why: string) => seen.ended.push(why) };
    streams.add(keyId, stream as unknown as EventStream);
    return seen;
  };
  return { state, streams, open };
}

test('threat 70: a stream ends exactly when its key expires, and other streams continue', async () => {
  const { state, open } = stage([
    { id: 'key_short', expiresAtMs: 1_000 },
    { id: 'key_long', expiresAtMs: null },
  ]);
  const [short, long] = [open('key_short'), open('key_long')];
  state.nowMs = 999;
  await until('both were looked at', async () => short.beats > 0 && long.beats > 0);
  assert.deepEqual([short.ended, long.ended], [[], []]);
  state.nowMs = 1_000;
  await until('the key has expired', async () => short.ended.length > 0);
  assert.equal(short.ended[0], 'key_revoked');
  assert.deepEqual(long.ended, []);
});

test('streams stay open while the keys cannot be read; when the keys can be read again, streams of missing keys end', async () => {
  const { state, open } = stage([{ id: 'key_a', expiresAtMs: null }]);
  state.snapshot = undefined;
  const stream = open('key_a');
  await until('it was looked at', async () => stream.beats > 0);
  assert.deepEqual(stream.ended, []);
  state.snapshot = snapshotOf([]);
  await until('the key is gone', async () => stream.ended.length > 0);
  assert.equal(stream.ended[0], 'key_revoked');
});

test('a stream that ended frees a slot for its key and for the process', () => {
  const { streams } = stage([]);
  assert.deepEqual([streams.enter('key_a'), streams.enter('key_a')], [undefined, undefined]);
  assert.match(streams.enter('key_a')!, /This key has 2 open streams/);
  assert.equal(streams.enter('key_b'), undefined);
  assert.match(streams.enter('key_c')!, /maximum number of open streams/);
  assert.equal(streams.count, 3);
  streams.exit('key_a');
  assert.equal(streams.count, 2);
  assert.equal(streams.enter('key_a'), undefined);
});
