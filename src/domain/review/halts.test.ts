// Tests the amount that two people book as lost when they resume sends. It contains only what no order explains, and each unit
// once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SignedSend, UnexplainedOutflow } from '../movements/outflows.ts';
import { resumeSends } from './halts.ts';

const HASH = '0xabc';
const BY = { actor: 'cli:obi', atMs: 1 };

function lostOf(
  problem: UnexplainedOutflow['problem'],
  amountMinor: bigint,
  send?: Pick<SignedSend, 'orders'>,
): bigint {
  const finding = { txHash: HASH, problem, amountMinor, to: null, movementIds: [], network: 'Polygon' };
  const halted = { mode: 'test', asset: 'NGNC@Polygon', decimals: 6, findings: [finding] } as const;
  const sends = new Map(send === undefined ? [] : [[HASH, { ...send, leftMinor: 0n }]]);
  const { entries = [] } = resumeSends(halted, 'halt', sends, BY).change;
  return entries
    .flatMap(({ postings }) => postings)
    .reduce((sum, each) => sum + (each.amountMinor > 0n ? each.amountMinor : 0n), 0n);
}

const order = (amountMinor: bigint, state: SignedSend['orders'][number]['state']) =>
  ({ movementId: 'mov_1', amountMinor, state }) as const;

test('threat 49: an outflow of more than its orders is lost in full, because the finding already excludes the orders', () => {
  const paid = { orders: [order(1_000_000n, 'landed')] };
  assert.equal(lostOf('more_than_signed', 30_000n, paid), 30_000n);
  assert.equal(lostOf('not_signed_here', 30_000n), 30_000n);
  assert.equal(lostOf('balance_short', 30_000n), 30_000n);
  assert.equal(lostOf('unreadable', 0n), 0n);
});

test('threat 42: if a payment was declared dead, only the amount that paid no order is lost', () => {
  const dead = order(1_000_000n, 'dead');
  assert.equal(lostOf('declared_dead', 1_000_000n, { orders: [dead] }), 1_000_000n);
  assert.equal(lostOf('declared_dead', 1_000_000n, { orders: [order(1_000_000n, 'landed')] }), 0n);
  assert.equal(
    lostOf('declared_dead', 1_500_000n, { orders: [dead, order(500_000n, 'landed')] }),
    1_000_000n,
  );
});
