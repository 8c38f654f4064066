// Tests that the steps of a movement leave nothing reserved, and that the costs of networks and banks are posted by kind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBooks } from '../../../test/support/stages/ledger-books.ts';
import type { LedgerAccountName } from '../ledger/chart-of-accounts.ts';
import { entryOf } from '../ledger/ledger.ts';
import type { Movement } from '../records/movement.ts';
import { chargeEntries, costEntries, stepEntries } from './entries.ts';

const ASSET = 'TKN@Net';
const FACTS = { mode: 'test', subjectId: 's', asset: ASSET } as const;

type Step = Parameters<typeof stepEntries>[1];
const PATHS: readonly (readonly Step[])[] = [
  ['reserve', 'send', 'finish'],
  ['reserve', 'send', 'unsend', 'send', 'finish'],
  ['reserve', 'release'],
  ['reserve', 'send', 'unsend', 'release'],
];

function movement(kind: Movement['kind'], network: string | null): Movement {
  return {
    ...{
      id: 'mov_1',
      kind,
      mode: 'test',
      network,
      asset: network === null ? 'NGN' : ASSET,
      state: 'sending',
    },
    ...{
      amountMinor: network === null ? 900n : 900_000n,
      nairaMinor: 900n,
      transactionId: 'txn_1',
      creditId: null,
    },
    ...{
      depositId: null,
      bankAccount: null,
      destination: null,
      reason: null,
      version: 1,
      attempts: 1,
      dueAtMs: null,
      tries: 0,
    },
    ...{ createdAtMs: 0, updatedAtMs: 0 },
  };
}

for (const steps of PATHS) {
  const done = steps.includes('finish');

  test(`a send with the steps ${steps.join(', ')} leaves nothing reserved`, () => {
    const books = makeBooks();
    const send = movement('send', 'Net');
    for (const step of steps) books.post(stepEntries(send, step));
    const tokens = (name: LedgerAccountName) => books.of(ASSET, name);
    assert.deepEqual([tokens('reserved'), tokens('sent')], [0n, 0n]);
    assert.equal(tokens('out'), done ? 900_000n : 0n);
    assert.equal(tokens('treasury'), done ? -900_000n : 0n);
    assert.deepEqual([books.of('NGN', 'in_flight'), books.of('NGN', 'delivered')], [0n, done ? 900n : 0n]);
    assert.equal(books.of('NGN', 'owed'), done ? -900n : 0n);
  });

  test(`a payout and refunds with the steps ${steps.join(', ')} leave nothing reserved`, () => {
    const books = makeBooks();
    for (const step of steps) {
      books.post(stepEntries(movement('payout', null), step, 100n));
      books.post(stepEntries(movement('refund', null), step));
      books.post(stepEntries(movement('refund', 'Net'), step));
    }
    const naira = (name: LedgerAccountName) => books.of('NGN', name);
    assert.equal(naira('bank_reserved'), 0n);
    assert.equal(naira('bank_out'), done ? -1_800n : 0n);
    assert.equal(naira('payouts_due'), done ? -1_000n : 0n);
    assert.equal(naira('refunds_due'), done ? -900n : 0n);
    assert.equal(naira('fees'), done ? 100n : 0n);
    assert.deepEqual(
      [books.of(ASSET, 'reserved'), books.of(ASSET, 'sent'), books.of(ASSET, 'out')],
      [0n, 0n, 0n],
    );
    assert.equal(books.of(ASSET, 'treasury'), done ? -900_000n : 0n);
    assert.equal(books.of(ASSET, 'refunds_due'), done ? -900_000n : 0n);
  });

  test(`a withdrawal with the steps ${steps.join(', ')} leaves nothing reserved`, () => {
    const books = makeBooks();
    const withdrawal = movement('withdrawal', 'Net');
    books.post([entryOf('withdrawal_reserved', { ...FACTS, amounts: { tokens: withdrawal.amountMinor } })]);
    for (const step of steps) books.post(stepEntries(withdrawal, step));
    const tokens = (['reserved', 'sent', 'withdrawn', 'treasury'] as const).map((name) =>
      books.of(ASSET, name),
    );
    assert.deepEqual(tokens, done ? [0n, 0n, 900_000n, -900_000n] : [0n, 0n, 0n, 0n]);
  });
}

test('network costs and returned coins are posted by kind; a cost of zero posts nothing', () => {
  const cost = { asset: 'COIN', feeMinor: 5n, openedMinor: 0n, closedMinor: 7n };
  const books = makeBooks();
  const entries = costEntries(movement('sweep', 'Net'), cost);
  books.post(entries);
  assert.deepEqual(
    entries.map(({ event }) => event),
    ['network_fee_paid', 'deposit_account_closed'],
  );
  const balances = (['network_costs', 'capital', 'coin_in', 'rent_gained'] as const).map((name) =>
    books.of('COIN@Net', name),
  );
  assert.deepEqual(balances, [5n, 5n, 7n, 7n]);
  assert.deepEqual(costEntries(movement('sweep', 'Net'), null), []);
});

test('bank charges are posted by kind; a charge of zero posts nothing', () => {
  const books = makeBooks();
  books.post(chargeEntries(movement('payout', null), 53n));
  assert.deepEqual([books.of('NGN', 'charges'), books.of('NGN', 'bank_out')], [53n, -53n]);
  assert.deepEqual(chargeEntries(movement('payout', null), 0n), []);
  const entries = chargeEntries(movement('refund', null), {
    feeMinor: 5_000n,
    vatMinor: 375n,
    stampDutyMinor: 0n,
  });
  assert.deepEqual(
    entries.map(({ event }) => event),
    ['bank_charged', 'vat_charged'],
  );
});
