// Tests the states and their moves: every move leads to a listed state, final states have no moves, and docs/concepts/states.md
// shows the same tables.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ALLOWED_MOVES, BUY_STATES, canMove, SELL_STATES, STATES, type TransactionState } from './states.ts';

const LISTS = { buy: BUY_STATES, sell: SELL_STATES } as const;

test('every move connects two different states of one type, and is in the list once', () => {
  for (const type of ['buy', 'sell'] as const) {
    const known: readonly string[] = LISTS[type];
    assert.deepEqual(Object.keys(ALLOWED_MOVES[type]).sort(), [...known].sort());
    for (const [from, targets] of Object.entries<readonly string[]>(ALLOWED_MOVES[type])) {
      assert.equal(new Set(targets).size, targets.length, from);
      for (const to of targets) assert.ok(known.includes(to) && to !== from, `${from} → ${to}`);
    }
  }
});

test('canMove allows exactly the moves of the table', () => {
  for (const type of ['buy', 'sell'] as const) {
    for (const from of STATES) {
      for (const to of STATES) {
        const moves: Readonly<Record<string, readonly string[]>> = ALLOWED_MOVES[type];
        assert.equal(canMove(type, from, to), moves[from]?.includes(to) ?? false, `${type} ${from} ${to}`);
      }
    }
  }
});

test('every state can be reached from the initial states, and can reach a final state', () => {
  for (const [type, starts] of [
    ['buy', ['awaiting_wallet', 'awaiting_payment']],
    ['sell', ['awaiting_deposit']],
  ] as const) {
    const reach = (from: readonly TransactionState[]): Set<TransactionState> => {
      const seen = new Set<TransactionState>(from);
      for (const state of seen) for (const to of STATES) if (canMove(type, state, to)) seen.add(to);
      return seen;
    };
    assert.deepEqual([...reach(starts)].sort(), [...LISTS[type]].sort());
    const ends = LISTS[type].filter((state) => !STATES.some((to) => canMove(type, state, to)));
    // A completed sell is not final, because the bank may return its payout.
    assert.deepEqual([...ends].sort(), type === 'buy' ? ['completed', 'refunded'] : ['refunded']);
    for (const state of LISTS[type])
      assert.ok(
        ends.some((end) => reach([state]).has(end)),
        state,
      );
  }
});

test('threat 19: a buy is sent only after it was paid, and a sell is paid out only after its deposit', () => {
  const before = (type: 'buy' | 'sell', to: TransactionState) =>
    STATES.filter((from) => canMove(type, from, to));
  assert.deepEqual(before('buy', 'sending').sort(), ['awaiting_trustline', 'confirming', 'paid']);
  assert.deepEqual(before('buy', 'awaiting_trustline'), ['paid']);
  assert.deepEqual(before('buy', 'confirming'), ['sending']);
  // A network may report a transfer as final in its first answer.
  assert.deepEqual(before('buy', 'completed').sort(), ['confirming', 'sending']);
  // A sell moves from on_hold to paying_out only after a payout was made and returned (domain/review/returned-payouts.ts,
  // domain/review/cases.ts).
  assert.deepEqual(before('sell', 'paying_out').sort(), ['deposited', 'on_hold']);
  assert.deepEqual(before('sell', 'completed').sort(), ['on_hold', 'paying_out']);
  assert.deepEqual(before('sell', 'deposited').sort(), [
    'awaiting_deposit',
    'confirming',
    'expired',
    'on_hold',
  ]);
});

test('threat 24: an expired or cancelled transaction can still be paid or refunded when late money arrives', () => {
  assert.ok(canMove('buy', 'expired', 'paid') && canMove('buy', 'expired', 'refunded'));
  assert.ok(canMove('buy', 'cancelled', 'refunded'));
  // A late deposit counts only when it is final, so the sell does not enter the state `confirming`.
  assert.ok(canMove('sell', 'expired', 'deposited') && canMove('sell', 'expired', 'on_hold'));
  assert.ok(canMove('sell', 'expired', 'refunded') && canMove('sell', 'cancelled', 'refunded'));
});

test('only closed transactions and transactions on hold can become refunded, not transactions in progress', () => {
  const before = (type: 'buy' | 'sell') => STATES.filter((from) => canMove(type, from, 'refunded'));
  assert.deepEqual(before('buy').sort(), ['cancelled', 'expired', 'on_hold', 'rejected']);
  assert.deepEqual(before('sell').sort(), ['cancelled', 'expired', 'on_hold', 'payout_failed']);
  assert.deepEqual(
    ALLOWED_MOVES.sell.paying_out,
    ['completed', 'on_hold', 'payout_failed'],
    'only the bank’s word ends a payout; one to a corrected account may not start',
  );
});

test('a transaction can be cancelled only while no money has arrived', () => {
  for (const state of BUY_STATES) {
    const waiting = state === 'awaiting_wallet' || state === 'awaiting_payment';
    assert.equal(canMove('buy', state, 'cancelled'), waiting, state);
  }
  for (const state of SELL_STATES) {
    assert.equal(canMove('sell', state, 'cancelled'), state === 'awaiting_deposit', state);
  }
});

test('docs/concepts/states.md has the same states and moves, in the same order', () => {
  const page = readFileSync(new URL('../../../docs/concepts/states.md', import.meta.url), 'utf8');
  for (const [type, heading] of [
    ['buy', 'Buy'],
    ['sell', 'Sell'],
  ] as const) {
    const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
    const written = [...section.matchAll(/^\| `(\w+)` \|[^|]+\|([^|]*)\|$/gm)].map(([, state, next]) => [
      state,
      [...next!.matchAll(/`(\w+)`/g)].map(([, to]) => to),
    ]);
    assert.deepEqual(written, Object.entries(ALLOWED_MOVES[type]));
  }
});
