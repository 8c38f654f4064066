// Tests deposits from two providers. Neither provider can hide a deposit, and a payment that they show differently is not a
// deposit yet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ISSUER,
  makeChain,
  makeView,
  page,
  TREASURY,
} from '../../../../../test/contract/stellar/stellar-fixtures.ts';
import type { DepositAddresses } from '../../../../ports/networks/network-observer.ts';
import { makeDeposits } from './deposits.ts';

const SENDER = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const WATCH: DepositAddresses = { recent: async () => [], ours: async () => new Set() };
const OPERATIONS = `/accounts/${TREASURY}/operations`;
const TOKEN = { asset_type: 'credit_alphanum4', asset_code: 'NGNC', asset_issuer: ISSUER };

const idOf = (ledger: number, index: number) => `${(BigInt(ledger) << 32n) | 4096n | BigInt(index)}`;

function record(ledger: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const id = idOf(ledger, 1);
  return {
    ...{ id, paging_token: id, type: 'payment', transaction_hash: 'ab'.repeat(32) },
    ...{ transaction_successful: true, from: SENDER, to: TREASURY, amount: '12.5000000', ...TOKEN },
    transaction: { memo_type: 'id', memo: '77' },
    ...changes,
  };
}

async function observedByTwo(first: readonly unknown[], second: readonly unknown[]) {
  const views = [first, second].map((records) => {
    const view = makeView();
    view.at.set(OPERATIONS, page(records));
    return view;
  });
  return makeDeposits(makeChain(views)).observe(null, WATCH);
}

test('a payment that one provider leaves out or reports as failed is a deposit if the other provider shows it', async () => {
  for (const lie of [[], [record(5, { transaction_successful: false })], [record(6, { id: idOf(6, 1) })]])
    for (const [first, second] of [
      [lie, [record(5)]],
      [[record(5)], lie],
    ] as const) {
      const { sightings } = await observedByTwo(first, second);
      assert.ok(sightings.some(({ memo, amountMinor }) => memo === '77' && amountMinor === 125_000_000n));
    }
});

test('the position waits for the slowest provider', async () => {
  const { position } = await observedByTwo([record(5), record(6)], [record(5)]);
  assert.equal(position, idOf(5, 1));
});

test('the position stays before a payment that two providers show differently, and later payments are still seen', async () => {
  const later = record(9, { transaction_hash: 'cd'.repeat(32) });
  for (const other of [
    { amount: '99.0000000' },
    { transaction: { memo_type: 'id', memo: '78' } },
    { asset_issuer: SENDER },
  ]) {
    const { sightings, position } = await observedByTwo([record(5), later], [record(5, other), later]);
    assert.deepEqual(
      sightings.map(({ txHash }) => txHash),
      ['cd'.repeat(32)],
    );
    assert.ok(BigInt(position) < BigInt(idOf(5, 1)));
  }
  const spelled = await observedByTwo([record(5)], [record(5, { amount: '12.5' })]);
  assert.equal(spelled.sightings.length, 1);
  assert.equal(spelled.position, idOf(5, 1));
});
