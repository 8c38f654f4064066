// Tests group commit with a write that the test completes by hand: which items share a write, in which order, which items an
// error affects, and when the group commit is idle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { type GroupCommitOptions, makeGroupCommit } from './group-commit.ts';

interface Item {
  readonly name: string;
  readonly keys: readonly string[];
}
interface Write {
  readonly names: readonly string[];
  finish(outcomes?: readonly (string | Error)[]): void;
  fail(error: Error): void;
}
const item = (name: string, ...keys: string[]): Item => ({ name, keys });
const later = async () => {
  for (let i = 0; i < 5; i++) await turn();
};

function harness(options: Partial<GroupCommitOptions<Item, string>> = {}) {
  const writes: Write[] = [];
  const group = makeGroupCommit<Item, string>({
    write: (batch) =>
      new Promise((resolve, reject) => {
        const names = batch.map(({ name }) => name);
        writes.push({ names, finish: (outcomes = names) => resolve(outcomes), fail: reject });
      }),
    keysOf: ({ keys }) => keys,
    maxBatch: 100,
    lanes: 1,
    patienceMs: 0,
    ...options,
  });
  const batches = () => writes.map(({ names }) => names.join(' '));
  return { group, writes, batches };
}

test('items that are submitted together are written together, in order, and each gets its own outcome', async () => {
  const { group, writes, batches } = harness();
  const answers = ['a', 'b', 'c'].map((name) => group.submit(item(name)));
  await later();
  assert.deepEqual(batches(), ['a b c']);
  writes[0]!.finish(['A', 'B', 'C']);
  assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C']);
});

test('items that arrive during a write share the next one', async () => {
  const { group, writes, batches } = harness();
  void group.submit(item('a'));
  await later();
  for (const name of ['b', 'c', 'd']) void group.submit(item(name));
  await later();
  assert.deepEqual(batches(), ['a']);
  writes[0]!.finish();
  await later();
  assert.deepEqual(batches(), ['a', 'b c d']);
});

test('a batch is never larger than the maximum', async () => {
  const { group, writes, batches } = harness({ maxBatch: 2 });
  for (const name of ['a', 'b', 'c', 'd', 'e']) void group.submit(item(name));
  for (let i = 0; i < 3; i++) {
    await later();
    writes[i]!.finish();
  }
  await group.drain();
  assert.deepEqual(batches(), ['a b', 'c d', 'e']);
});

test('there are never more concurrent writes than lanes', async () => {
  const { group, writes, batches } = harness({ lanes: 2, maxBatch: 1 });
  for (const name of ['a', 'b', 'c']) void group.submit(item(name));
  await later();
  await sleep(5);
  assert.deepEqual(batches(), ['a', 'b']);
  writes[1]!.finish();
  await later();
  await sleep(5);
  assert.deepEqual(batches(), ['a', 'b', 'c']);
});

test('a second write waits until the first one has ended or has exceeded the patience time', async () => {
  const { group, writes, batches } = harness({ lanes: 3, patienceMs: 1e9 });
  void group.submit(item('a'));
  await later();
  void group.submit(item('b'));
  await later();
  assert.deepEqual(batches(), ['a']);
  writes[0]!.finish();
  await later();
  assert.deepEqual(batches(), ['a', 'b']);
  writes[1]!.finish();
  await group.drain();
});

test('an error for one item affects only that item', async () => {
  const { group, writes } = harness();
  const answers = ['a', 'b', 'c'].map((name) => group.submit(item(name)));
  await later();
  writes[0]!.finish(['A', new Error('b alone'), 'C']);
  const settled = await Promise.allSettled(answers);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('a failed write fails its batch, and does not affect the next batch', async () => {
  const { group, writes } = harness();
  const failed = group.submit(item('a', 'k'));
  const waiting = group.submit(item('b', 'k'));
  await later();
  writes[0]!.fail(new Error('away'));
  await assert.rejects(failed, /away/);
  await later();
  assert.deepEqual(writes[1]!.names, ['b']);
  writes[1]!.finish();
  assert.equal(await waiting, 'b');
});

test('threat 27: items with the same key are written one after the other, in order', async () => {
  const { group, writes, batches } = harness({ lanes: 3 });
  for (const each of [
    item('a', 'k'),
    item('b', 'k'),
    item('c', 'k'),
    item('d', 'other'),
    item('e', 'k', 'other'),
  ]) {
    void group.submit(each);
  }
  for (let i = 0; i < 4; i++) {
    await later();
    assert.equal(writes.length, i + 1);
    writes[i]!.finish();
  }
  await group.drain();
  assert.deepEqual(batches(), ['a d', 'b', 'c', 'e']);
});

test('draining waits for all items, including those that wait for a key', async () => {
  const { group, writes } = harness();
  await group.drain();
  void group.submit(item('a', 'k'));
  void group.submit(item('b', 'k'));
  let drained = false;
  const draining = group.drain().then(() => {
    drained = true;
  });
  await later();
  writes[0]!.finish();
  await later();
  assert.equal(drained, false);
  writes[1]!.finish();
  await draining;
});

test('for any input, each item is written once, a key is never in two writes at once, and items of one key keep their order', async () => {
  const items = fc.array(
    fc.record({
      keys: fc.uniqueArray(fc.constantFrom('k1', 'k2', 'k3'), { maxLength: 2 }),
      pause: fc.nat(3),
    }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(
      items,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      async (given, maxBatch, lanes) => {
        const written: number[] = [];
        const underWay = new Set<string>();
        let writing = 0;
        const group = makeGroupCommit<{ index: number; keys: string[] }, number>({
          write: async (batch) => {
            assert.ok(batch.length <= maxBatch && ++writing <= lanes);
            for (const { index, keys } of batch) {
              written.push(index);
              for (const key of keys) assert.ok(!underWay.has(key));
              for (const key of keys) underWay.add(key);
            }
            for (let i = 0; i < 3; i++) await turn();
            for (const { keys } of batch) for (const key of keys) underWay.delete(key);
            writing--;
            return batch.map(({ index }) => index);
          },
          keysOf: ({ keys }) => keys,
          maxBatch,
          lanes,
          patienceMs: 0,
        });
        const answers: Promise<number>[] = [];
        for (const [index, { keys, pause }] of given.entries()) {
          answers.push(group.submit({ index, keys }));
          for (let i = 0; i < pause; i++) await turn();
        }
        assert.deepEqual(
          await Promise.all(answers),
          given.map((_, index) => index),
        );
        await group.drain();
        assert.deepEqual(
          written.toSorted((a, b) => a - b),
          given.map((_, index) => index),
        );
        for (const key of ['k1', 'k2', 'k3']) {
          const single = written.filter(
            (index) => given[index]!.keys.length === 1 && given[index]!.keys[0] === key,
          );
          assert.deepEqual(
            single,
            single.toSorted((a, b) => a - b),
          );
        }
      },
    ),
    { numRuns: 100 },
  );
});
