// Tests the loop around a decision with a scripted store. After a concurrent change the service decides again, a repeated
// request gets the stored response, and a refusal commits nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../domain/records/change.ts';
import { INITIAL_TRANSACTION_FIELDS, type Transaction } from '../../domain/records/transaction.ts';
import { makeId } from '../../domain/values/ids.ts';
import type { CommitOutcome } from '../../ports/store/commit.ts';
import type { BusinessScope } from '../../ports/store/reads.ts';
import type { Store } from '../../ports/store/store.ts';
import { changeTransaction } from './change-transaction.ts';

const ID = makeId('txn', 1, new Uint8Array(10));
const SCOPE = { businessId: 'biz_1', mode: 'test' } as const;
const CANCEL = { kind: 'cancel_requested', actor: 'key_1', atMs: 9 } as const;
const CLAIM = { key: 'k', requestHash: 'h' };
const buy = (changes: Partial<Transaction> = {}) =>
  ({
    ...INITIAL_TRANSACTION_FIELDS,
    id: ID,
    type: 'buy',
    state: 'awaiting_payment',
    wallet: null,
    ...changes,
  }) as Transaction;
const COMMITTED: CommitOutcome = { kind: 'committed' };
const STALE: CommitOutcome = { kind: 'stale' };
const versionsOf = (commits: readonly Change[]) =>
  commits.map(({ transactions }) => transactions?.map(({ version }) => version));

function play(script: {
  readonly found?: readonly (Transaction | undefined)[];
  readonly outcomes?: readonly CommitOutcome[];
  readonly used?: { requestHash: string; transactionId: string };
}) {
  const commits: Change[] = [];
  const scopes: BusinessScope[] = [];
  const bound: string[] = [];
  let reads = 0;
  const at = <T>(list: readonly T[], index: number) => list[Math.min(index, list.length - 1)];
  const store = {
    findTransaction: async (scope: BusinessScope) => {
      scopes.push(scope);
      return at(script.found ?? [buy()], reads++);
    },
    findIdempotencyKey: async () => script.used,
    bindIdempotencyKey: async (_scope: BusinessScope, { key }: { key: string }) => {
      bound.push(key);
    },
    commit: async (changes: readonly Change[]) => {
      commits.push(...changes);
      return changes.map(() => at(script.outcomes ?? [COMMITTED], commits.length - 1));
    },
  } as unknown as Store;
  const change = (id = ID, claim: typeof CLAIM | null = null) =>
    changeTransaction(store, SCOPE, id, CANCEL, claim);
  return { change, commits, bound, scopes, reads: () => reads };
}

test('a change is committed only on the version that its decision was based on', async () => {
  const { change, commits, scopes } = play({ found: [buy({ version: 7 })] });
  const result = await change();
  assert.ok(result.ok);
  assert.deepEqual([result.value.replayed, result.value.transaction.state], [false, 'cancelled']);
  assert.equal(result.value.transaction.version, 8);
  assert.deepEqual(versionsOf(commits), [[7]]);
  assert.deepEqual([commits[0]!.atMs, commits[0]!.idempotency], [CANCEL.atMs, undefined]);
  // The commit needs no scope, because the service found the transaction in the caller's scope.
  assert.deepEqual(scopes, [SCOPE]);
});

test('the idempotency key of a change is committed with it, in the scope of the caller', async () => {
  const { change, commits } = play({});
  assert.ok((await change(ID, CLAIM)).ok);
  assert.deepEqual(commits[0]!.idempotency, { ...SCOPE, ...CLAIM, transactionId: ID });
});

test('when another request was faster, the decision is made again with the stored state', async () => {
  const { change, commits } = play({
    found: [buy(), buy({ version: 2 }), buy({ version: 3, state: 'paid' })],
    outcomes: [STALE, STALE],
  });
  const result = await change();
  assert.ok(!result.ok && result.error.code === 'state_conflict');
  assert.deepEqual(versionsOf(commits), [[1], [2]]);
});

test('if every attempt loses the race, an error is thrown instead of an endless loop', async () => {
  const { change, commits } = play({ outcomes: [STALE] });
  await assert.rejects(change(), /kept changing/);
  assert.equal(commits.length, 10);
});

test('a change that was made before returns the current state and commits nothing', async () => {
  const { change, commits } = play({ found: [buy({ state: 'cancelled' })] });
  const result = await change();
  assert.ok(result.ok && result.value.replayed);
  assert.equal(commits.length, 0);
});

test('threat 68: an unknown id and an invalid id get the same response, and an invalid id is not looked up', async () => {
  const missing = play({ found: [undefined] });
  const malformed = play({});
  const [first, second] = [await missing.change(), await malformed.change('txn_\u0000')];
  assert.ok(!first.ok && !second.ok);
  assert.deepEqual(first.error, second.error);
  assert.equal(first.error.code, 'transaction_not_found');
  assert.equal(malformed.reads(), 0);
});

test('threat 28: a key that was used for another request is refused; for the same request it is a repeat, in any state', async () => {
  const other = play({ used: { requestHash: 'other', transactionId: ID } });
  const refused = await other.change(ID, CLAIM);
  assert.ok(!refused.ok && refused.error.code === 'idempotency_key_reused');
  const same = play({ used: { requestHash: 'h', transactionId: ID }, found: [buy({ state: 'paid' })] });
  const repeated = await same.change(ID, CLAIM);
  assert.ok(repeated.ok && repeated.value.replayed);
  assert.equal(other.commits.length + same.commits.length, 0);
});

test('a key that another request took in the meantime is checked again', async () => {
  const { change, commits, bound } = play({
    found: [buy(), buy({ state: 'cancelled', version: 2 })],
    outcomes: [{ kind: 'refused', rule: 'other', constraint: 'idempotency_keys_pkey' }],
  });
  const result = await change(ID, CLAIM);
  assert.ok(result.ok && result.value.replayed);
  assert.equal(commits.length, 1);
  assert.deepEqual(bound, [CLAIM.key]);
});
