// The loop around a decision, on a store that the test plays: races are decided again, repeats are answered, and a
// refusal commits nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeId } from '../domain/ids.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { CommitOutcome, KeyedChange, Scope, Store } from '../ports/store.ts';
import { changeTransaction } from './change-transaction.ts';

const ID = makeId('txn', 1, new Uint8Array(10));
const SCOPE = { businessId: 'biz_1', mode: 'test' } as const;
const CANCEL = { kind: 'cancel_requested', actor: 'key_1', atMs: 9 } as const;
const CLAIM = { key: 'k', requestHash: 'h' };
const buy = (changes: Partial<Transaction> = {}) =>
  ({ id: ID, type: 'buy', state: 'awaiting_payment', version: 1, wallet: null, ...changes }) as Transaction;

function play(script: {
  readonly found?: readonly (Transaction | undefined)[];
  readonly outcomes?: readonly CommitOutcome[];
  readonly used?: { requestHash: string; transactionId: string };
}) {
  const commits: KeyedChange[] = [];
  const bound: string[] = [];
  let reads = 0;
  const at = <T>(list: readonly T[], index: number) => list[Math.min(index, list.length - 1)];
  const store = {
    findTransaction: async () => at(script.found ?? [buy()], reads++),
    findIdempotencyKey: async () => script.used,
    bindIdempotencyKey: async (_scope: Scope, { key }: { key: string }) => {
      bound.push(key);
    },
    commit: async (change: KeyedChange) => {
      commits.push(change);
      return at(script.outcomes ?? ['committed' as const], commits.length - 1);
    },
  } as unknown as Store;
  const change = (id = ID, claim: typeof CLAIM | null = null) =>
    changeTransaction(store, SCOPE, id, CANCEL, claim);
  return { change, commits, bound, reads: () => reads };
}

test('a change is committed on the version it was decided on', async () => {
  const { change, commits } = play({ found: [buy({ version: 7 })] });
  const result = await change();
  assert.ok(result.ok);
  assert.deepEqual([result.value.replayed, result.value.transaction.state], [false, 'cancelled']);
  assert.equal(result.value.transaction.version, 8);
  assert.deepEqual(
    commits.map(({ change: c, scope }) => [c.version, scope]),
    [[7, SCOPE]],
  );
});

test('when somebody was faster it is decided again, on what is there now', async () => {
  const { change, commits } = play({
    found: [buy(), buy({ version: 2 }), buy({ version: 3, state: 'paid' })],
    outcomes: ['stale', 'stale'],
  });
  const result = await change();
  assert.ok(!result.ok && result.error.code === 'state_conflict');
  assert.deepEqual(
    commits.map(({ change: c }) => c.version),
    [1, 2],
  );
});

test('losing every race is an error and not an endless loop', async () => {
  const { change, commits } = play({ outcomes: ['stale'] });
  await assert.rejects(change(), /kept changing/);
  assert.equal(commits.length, 10);
});

test('what was done before is answered as it is, and commits nothing', async () => {
  const { change, commits } = play({ found: [buy({ state: 'cancelled' })] });
  const result = await change();
  assert.ok(result.ok && result.value.replayed);
  assert.equal(commits.length, 0);
});

test('threat 68: what is not found, or is no id, is the same answer; the latter is not even looked for', async () => {
  const missing = play({ found: [undefined] });
  const malformed = play({});
  const [first, second] = [await missing.change(), await malformed.change('txn_\u0000')];
  assert.ok(!first.ok && !second.ok);
  assert.deepEqual(first.error, second.error);
  assert.equal(first.error.code, 'transaction_not_found');
  assert.equal(malformed.reads(), 0);
});

test('threat 28: a key used for another request is refused; for this one it is a repeat, whatever the state', async () => {
  const other = play({ used: { requestHash: 'other', transactionId: ID } });
  const refused = await other.change(ID, CLAIM);
  assert.ok(!refused.ok && refused.error.code === 'idempotency_key_reused');
  const same = play({ used: { requestHash: 'h', transactionId: ID }, found: [buy({ state: 'paid' })] });
  const repeated = await same.change(ID, CLAIM);
  assert.ok(repeated.ok && repeated.value.replayed);
  assert.equal(other.commits.length + same.commits.length, 0);
});

test('a key taken by somebody else in the meantime is looked at again', async () => {
  const { change, commits, bound } = play({
    found: [buy(), buy({ state: 'cancelled', version: 2 })],
    outcomes: ['idempotency_key_taken'],
  });
  const result = await change(ID, CLAIM);
  assert.ok(result.ok && result.value.replayed);
  assert.equal(commits.length, 1);
  assert.deepEqual(bound, [CLAIM.key]);
});
