// Tests how answers change a movement. An unknown answer changes only the time of the next query. A refund ends its transaction
// only if all of the money was to be returned.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempt, movement } from '../../../test/http/settlement-fixtures.ts';
import { sell, transaction } from '../../../test/http/store-fixtures.ts';
import { type Attempt, newMovement } from '../records/movement.ts';
import type { Transaction } from '../records/transaction.ts';
import { makeRefundMove, recordUnknown } from './steps.ts';

const refundOf = (nairaMinor: bigint, network: string | null = null) =>
  newMovement({
    ...{
      id: 'mov_1',
      kind: 'refund',
      mode: 'test',
      network,
      asset: 'NGN',
      amountMinor: nairaMinor,
      nairaMinor,
    },
    ...{ destination: null, atMs: 0 },
  });

function after(of: Transaction, refundedMinor: bigint) {
  const {
    state,
    refundedMinor: counted,
    dueAtMs,
  } = makeRefundMove(of, refundOf(refundedMinor), 'r', 9).after;
  return [state, counted, dueAtMs];
}

test('a transaction that is being returned becomes refunded with the last kobo, and not earlier', () => {
  const received = { receivedMinor: 900n, refundedMinor: 100n, dueAtMs: 5 };
  for (const of of [
    transaction({ ...received, state: 'expired' }),
    transaction({ ...received, state: 'cancelled' }),
    transaction({ ...received, state: 'rejected' }),
    transaction({ ...received, state: 'on_hold', exception: 'refund_decided' }),
    sell({ ...received, state: 'payout_failed' }),
  ]) {
    assert.deepEqual(after(of, 799n), [of.state, 899n, 5]);
    assert.deepEqual(after(of, 800n), ['refunded', 900n, null]);
    assert.deepEqual(after(of, 801n), ['refunded', 901n, null]);
  }
});

test('a returned excess counts as refunded, even if it is large, and a transaction in progress keeps its state', () => {
  const received = { receivedMinor: 900n, dueAtMs: 5 };
  for (const of of [
    transaction({ ...received, state: 'on_hold', exception: 'screening_hit' }),
    transaction({ ...received, state: 'completed' }),
    sell({ ...received, state: 'paying_out' }),
  ])
    assert.deepEqual(after(of, 1_000n), [of.state, 1_000n, 5]);
});

test('the timeline line of a refund has the bank or the network as its actor, with the reference used there', () => {
  const of = transaction({ state: 'expired', receivedMinor: 900n });
  const lineOf = (network: string | null) => makeRefundMove(of, refundOf(900n, network), '0xhash', 9).line;
  assert.deepEqual(lineOf(null), {
    ...{ from: 'expired', to: 'refunded', actor: 'bank', reason: 'refund_made' },
    evidence: { movement: 'mov_1', reference: '0xhash' },
  });
  assert.equal(lineOf('Polygon')?.actor, 'network');
});

test('an unknown outcome is recorded at the time of the response and checked again later; tokens that were sent stay sent', () => {
  const when = { atMs: 70, dueAtMs: 90 };
  const of = movement({ state: 'sending', tries: 2 });
  const heard = (state: Attempt['state']) => {
    const alive = { movement: of, attempt: attempt(of, { state, evidence: { seen: 1 } }), transaction: null };
    const { atMs, movements, attempts } = recordUnknown(alive, when, 'no answer');
    const [{ after }, noted] = [movements![0]!, attempts![0]!];
    assert.deepEqual([atMs, after.updatedAtMs, after.dueAtMs, noted.updatedAtMs], [70, 70, 90, 70]);
    assert.deepEqual([after.reason, noted.evidence], ['no answer', { seen: 1, reason: 'no answer' }]);
    return [after.state, after.tries, noted.state];
  };
  assert.deepEqual(heard('prepared'), ['unknown', 0, 'unknown']);
  assert.deepEqual(heard('unknown'), ['unknown', 0, 'unknown']);
  assert.deepEqual(heard('accepted'), ['sending', 2, 'accepted']);
});
