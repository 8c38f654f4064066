// Tests each payment of a batch on the chain. It has exactly one event, the event names its wallet, and the token moved the
// same amount.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hex, pad, toHex } from 'viem';
import { TREASURY } from '../../../../../test/support/networks/evm-fake-provider.ts';
import {
  DISPERSE,
  receiptOf,
  TOKEN,
  transferLog,
  txOf,
  WALLETS,
} from '../../../../../test/support/networks/evm-providers.ts';
import type { EvmLog } from '../rpc/answers.ts';
import type { EvmContext } from '../rpc/context.ts';
import { lowerHex, PAID, saltOf, UNPAID } from '../rpc/contracts.ts';
import { outcomeOfReceipt } from './landed.ts';
import type { PayloadItem } from './payload.ts';

const BATCH = pad('0x7');
const [ONE, TWO] = WALLETS.map(lowerHex) as [Hex, Hex];
const CONTEXT = {
  ...{ settings: { native: { asset: 'POL' } }, token: TOKEN, treasury: TREASURY, disperse: DISPERSE },
} as unknown as EvmContext;
const pay = (to: Hex): PayloadItem => ({ kind: 'payment', to, amountMinor: 100n });

const event = (index: number, to: Hex, topic: Hex = PAID): EvmLog => ({
  ...transferLog({ to, amountMinor: 0n }),
  address: DISPERSE,
  topics: [topic, BATCH, pad(toHex(index))],
  data: pad(to),
});

function read(items: readonly PayloadItem[], logs: readonly EvmLog[]) {
  const hash = txOf('batch');
  const payload = { kind: 'disperse', raw: '0x', batch: BATCH, items } as const;
  const status = outcomeOfReceipt(CONTEXT, payload, receiptOf(hash, [...logs]), 90n);
  if (status.kind === 'final') return status.unpaid.map(({ index }) => index);
  return status.kind === 'held' ? status.reason : status.kind;
}

const moved = (to: Hex) => transferLog({ to, amountMinor: 100n });

test('a payment counts as paid or unpaid according to the event of the contract', () => {
  const items = [pay(ONE), pay(TWO)];
  assert.deepEqual(read(items, [moved(ONE), event(0, ONE), moved(TWO), event(1, TWO)]), []);
  assert.deepEqual(read(items, [moved(ONE), event(0, ONE), event(1, TWO, UNPAID)]), [1]);
  assert.equal(read(items, [event(0, ONE, UNPAID), event(1, TWO, UNPAID)]), 'failed');
});

test('a batch without one clear event for each payment is held', () => {
  const items = [pay(ONE), pay(TWO)];
  const first = [moved(ONE), event(0, ONE)];
  const unclear = 'the batch has no clear event for payment 1';
  assert.equal(read(items, first), unclear);
  assert.equal(read(items, [...first, moved(TWO), event(1, TWO), event(1, TWO)]), unclear);
  assert.equal(read(items, [...first, event(1, TWO, BATCH)]), unclear);
  assert.equal(
    read(items, [...first, moved(TWO), event(1, ONE)]),
    'the batch made payment 1 to another wallet',
  );
  // A batch contains only payments. The events show nothing about an item that is stored as a sweep.
  const odd: PayloadItem = { kind: 'sweep', salt: saltOf('txn_1'), amountMinor: 100n };
  assert.equal(read([pay(ONE), odd], [...first, moved(TWO), event(1, TWO)]), unclear);
});
