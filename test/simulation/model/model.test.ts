// Tests what the model can do beyond the ports: make independent copies, and notify listeners of stored data.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Case, Change } from '../../../src/domain/records/change.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import { credit } from '../../http/settlement-fixtures.ts';
import { acceptance, BUSINESS, KEY, NOW } from '../../http/store-fixtures.ts';
import { makeModel } from './model.ts';
import { joined } from './tables.ts';

const KEYS = [{ id: KEY, businessId: BUSINESS, mode: 'test' }] as const;
const CLAIM = { atMs: NOW, leaseMs: 1_000, limit: 10 };

const recording = (given = credit()): Change => ({ atMs: NOW, newCredits: [given] });

test('a copy and its original change independently', () => {
  const model = makeModel({ keys: KEYS });
  const [first, second] = [credit(), credit()];
  model.core.commit([recording(first)]);
  const copy = model.snapshot();
  copy.core.commit([
    recording(second),
    { atMs: NOW, freeze: { businessId: BUSINESS, mode: 'test', reason: 'x' } },
  ]);
  copy.core.holdFeed('bank', 'one', NOW, 1_000);
  assert.equal(copy.core.leaseCredits(CLAIM).length, 2);
  assert.deepEqual([...model.tables.credits.values()], [first]);
  assert.equal(model.tables.freezes.size + model.tables.feeds.size, 0);
  assert.equal(model.core.leaseCredits(CLAIM).length, 1);
  model.core.revokeKey(KEY);
  assert.deepEqual(copy.core.accept(acceptance()), { kind: 'created' });
  assert.deepEqual(model.core.accept(acceptance()), { kind: 'key_revoked' });
});

test('listeners are notified of every committed change and every stored acceptance', () => {
  const applied: Change[] = [];
  const accepted: Acceptance[] = [];
  const plays: string[] = [];
  const model = makeModel({
    keys: KEYS,
    onApplied: (change) => applied.push(change),
    onAccepted: (given) => accepted.push(given),
    onScenario: (transactionId, scenario, atMs) => plays.push(joined(transactionId, scenario, atMs)),
  });
  const [good, bad, late] = [recording(), recording(credit({ amountMinor: 0n })), recording()];
  model.core.commit([good, bad, good, late]);
  assert.deepEqual(applied, [good, late]);
  const given = acceptance({}, { scenario: 'happy' });
  const again = { ...given, transaction: { ...given.transaction, id: 'txn_again' } };
  assert.equal(model.core.accept(given).kind, 'created');
  assert.equal(model.core.accept(given).kind, 'created');
  assert.equal(model.core.accept(again).kind, 'repeated');
  assert.deepEqual(accepted, [given]);
  assert.deepEqual(plays, [joined(given.transaction.id, 'happy', NOW)]);
});

test('freezes and cases are visible until they are ended', () => {
  const model = makeModel({ keys: KEYS });
  const openCase: Case = {
    id: 'cas_1',
    kind: 'credit_reversed',
    mode: 'test',
    businessId: BUSINESS,
    transactionId: null,
    creditId: null,
    amountMinor: 1n,
  };
  const change: Change = { atMs: NOW, openCase, freeze: { businessId: BUSINESS, mode: 'test', reason: 'x' } };
  assert.deepEqual(model.core.commit([change]), [{ kind: 'committed' }]);
  const frozen = { businessId: BUSINESS, mode: 'test', reason: 'x', atMs: NOW };
  assert.deepEqual([...model.tables.freezes.values()], [frozen]);
  assert.deepEqual(
    [model.core.liftFreeze(BUSINESS, 'test'), model.core.liftFreeze(BUSINESS, 'test')],
    [true, false],
  );
  const closing: Change = {
    atMs: NOW,
    closeCases: [{ id: 'cas_1', outcome: 'recovered', closedBy: 'per_ada' }],
  };
  assert.deepEqual(
    [...model.core.commit([closing]), ...model.core.commit([closing])],
    [{ kind: 'committed' }, { kind: 'stale' }],
  );
  assert.equal(model.tables.freezes.size + model.tables.cases.size, 0);
  assert.deepEqual(model.core.commit([change]), [
    { kind: 'refused', rule: 'other', constraint: 'cases_pkey' },
  ]);
});

test('the ports return promises, and these are rejected in the same cases as in the adapter', async () => {
  const model = makeModel({ keys: KEYS });
  assert.deepEqual(await model.store.accept(acceptance()), { kind: 'created' });
  await assert.rejects(model.store.accept(acceptance({ amountMinor: 0n })), {
    constraint: 'transactions_sound',
  });
  assert.equal(await model.desk.findProposal('prp_none'), undefined);
});
