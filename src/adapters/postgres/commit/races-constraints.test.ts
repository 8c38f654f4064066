// Tests changes of several processes when a constraint allows only one of them. One change is committed, and the constraint
// refuses the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countKind, openRacingStores } from '../../../../test/http/races.ts';
import {
  acceptedBuys,
  attempt,
  COMMITTED,
  credit,
  match,
  movement,
  paying,
  recording,
  refusedBy,
} from '../../../../test/http/settlement-fixtures.ts';
import { NOW } from '../../../../test/http/store-fixtures.ts';
import { type Change, makeMove } from '../../../domain/records/change.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';

const { database, first, second, race } = await openRacingStores();

test('threats 16, 17: when two processes match one credit to two buys at once, the constraint allows one match', async () => {
  for (let round = 0; round < 10; round++) {
    const buys = (await acceptedBuys(database, 2)) as [Transaction, Transaction];
    const paid = credit();
    await first.commit([recording(paid)]);
    // These changes do not include the version of the credit, so only the constraint can stop the second change.
    const claiming = (buy: Transaction, version: number): Change => ({
      atMs: NOW,
      transactions: [paying(buy)],
      match: match(paid, buy.id, version),
    });
    const outcomes = await race([[claiming(buys[0], 2)], [claiming(buys[1], 3)]]);
    assert.equal(countKind(outcomes, 'committed'), 1);
    const refused = outcomes.flat().find(({ kind }) => kind === 'refused');
    assert.deepEqual(refused, refusedBy('one_credit_one_transaction'));
    const found = [...(await first.transactionsById(buys.map(({ id }) => id))).values()];
    assert.deepEqual(found.map(({ state }) => state).sort(), ['awaiting_payment', 'paid']);
  }
  // The constraint also works within one call. A decision without a matched transaction may be repeated.
  const [left, right] = (await acceptedBuys(database, 2)) as [Transaction, Transaction];
  const paid = credit();
  await first.commit([recording(paid)]);
  const outcomes = await first.commit([
    { atMs: NOW, match: match(paid, null, 2) },
    { atMs: NOW, match: match(paid, null, 3) },
    { atMs: NOW, match: match(paid, left.id, 4) },
    { atMs: NOW, match: match(paid, right.id, 5) },
  ]);
  assert.deepEqual(outcomes, [COMMITTED, COMMITTED, COMMITTED, refusedBy('one_credit_one_transaction')]);
});

test('threat 58: a second payout or send of one transaction is refused while the first one can still succeed', async () => {
  for (const kind of ['payout', 'send'] as const) {
    const [buy] = (await acceptedBuys(database, 1)) as [Transaction];
    const starting = (): Change => ({ atMs: NOW, newMovements: [movement({ kind, transactionId: buy.id })] });
    const outcomes = await race([[starting()], [starting()]]);
    assert.equal(countKind(outcomes, 'committed'), 1);
    assert.deepEqual(
      outcomes.flat().find((each) => each.kind === 'refused'),
      refusedBy('movements_one_alive'),
    );
    for (const state of ['sending', 'unknown', 'done'] as const) {
      const [alive] = await first.movementsOf([buy.id]);
      assert.deepEqual(await first.commit([{ atMs: NOW, movements: [makeMove(alive!, { state })] }]), [
        COMMITTED,
      ]);
      assert.deepEqual(await second.commit([starting()]), [refusedBy('movements_one_alive')], state);
    }
    const refund = movement({ kind: 'refund', transactionId: buy.id });
    assert.deepEqual(await first.commit([{ atMs: NOW, newMovements: [refund] }]), [COMMITTED]);
    const done = (await first.movementsOf([buy.id])).find((each) => each.kind === kind)!;
    assert.deepEqual(await first.commit([{ atMs: NOW, movements: [makeMove(done, { state: 'failed' })] }]), [
      COMMITTED,
    ]);
    assert.deepEqual(await second.commit([starting()]), [COMMITTED]);
  }
});

test('threat 43: of two attempts with the same nonce from two processes, only one is committed; a dead attempt frees its nonce', async () => {
  const signing = (changes: Parameters<typeof attempt>[1]): Change => {
    const send = movement();
    return { atMs: NOW, newMovements: [send], attempts: [attempt(send, changes)] };
  };
  for (let round = 0; round < 5; round++) {
    const nonces = Array.from({ length: 20 }, (_, index) => `${1_000_000 + round * 100 + index}`);
    const batch = () => nonces.map((sequence) => signing({ sequence }));
    const outcomes = await race([batch(), batch().toReversed()]);
    assert.deepEqual([countKind(outcomes, 'committed'), countKind(outcomes, 'refused')], [20, 20]);
    const constraints = new Set(
      outcomes.flat().flatMap((each) => (each.kind === 'refused' ? each.constraint : [])),
    );
    assert.deepEqual(constraints, new Set(['movement_attempts_one_sequence']));
  }
  const send = movement();
  const dead = attempt(send, { sequence: '2000000', state: 'dead' });
  assert.deepEqual(await first.commit([{ atMs: NOW, newMovements: [send], attempts: [dead] }]), [COMMITTED]);
  assert.deepEqual(await first.commit([signing({ sequence: '2000000' })]), [COMMITTED]);
  const elsewhere = [
    signing({ sequence: '2000000', source: '0xother' }),
    signing({ sequence: '2000000', network: 'Avalanche' }),
  ];
  assert.deepEqual(await first.commit(elsewhere), [COMMITTED, COMMITTED]);
});

test('threat 41: one hash belongs to one attempt, but all attempts of one payout can have the same bank reference', async () => {
  const sends = [movement(), movement()] as const;
  const signing = (index: 0 | 1, reference: string): Change => ({
    atMs: NOW,
    newMovements: [sends[index]],
    attempts: [attempt(sends[index], { reference })],
  });
  const outcomes = await first.commit([signing(0, '0xsame'), signing(1, '0xsame')]);
  assert.deepEqual(outcomes, [COMMITTED, refusedBy('movement_attempts_one_place')]);
  const payout = movement({ kind: 'payout', network: null });
  const atBank = { sequence: null, reference: 'mov-1' };
  const tries = [attempt(payout, atBank), attempt(payout, { ...atBank, no: 2 })];
  assert.deepEqual(await first.commit([{ atMs: NOW, newMovements: [payout], attempts: tries }]), [COMMITTED]);
});
