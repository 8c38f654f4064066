// Tests the price per compute unit. It rises once for all payments that expire together, and never above the cap. Later it
// returns to the start price.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Address } from '@solana/kit';
import { makeProviders } from '../../providers/providers.ts';
import type { SolanaSettings } from '../../settings/settings.ts';
import type { SolanaClient } from '../rpc/client.ts';
import { makePriorityFees } from './priority-fees.ts';

function stage(usual: bigint, cap: bigint, market: readonly bigint[] | Error) {
  let nowMs = 10_000_000;
  const clock = { now: () => nowMs };
  const troubles: string[] = [];
  const recentFees = async () => {
    if (market instanceof Error) throw market;
    return market;
  };
  const client = { recentFees } as Partial<SolanaClient> as SolanaClient;
  const fees = makePriorityFees({
    settings: { priorityFee: usual, priorityFeeCap: cap } as SolanaSettings,
    providers: makeProviders(['http://provider'], () => client, {
      clock,
      onTrouble: (_, error) => troubles.push(error.message),
    }),
    treasuryAccount: 'account' as Address,
    clock,
  });
  return {
    ...fees,
    troubles,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('the price is the one in the settings until a payment expires, whatever others pay', async () => {
  assert.equal(await stage(500n, 9_000n, [8_000n]).price(), 500n);
});

test('the price doubles when a payment with the newest price expires, up to the cap', async () => {
  const { price, expired } = stage(1_500n, 10_000n, []);
  expired(1_500n);
  expired(1_500n);
  expired(1_500n);
  assert.equal(await price(), 3_000n);
  expired(3_000n);
  assert.equal(await price(), 6_000n);
  expired(6_000n);
  expired(await price());
  assert.equal(await price(), 10_000n);
});

test('a price of zero rises too, but not if the cap is zero', async () => {
  const free = stage(0n, 5_000n, []);
  free.expired(0n);
  assert.equal(await free.price(), 1_000n);
  const never = stage(0n, 0n, [7_000n]);
  never.expired(0n);
  assert.equal(await never.price(), 0n);
});

test('a raised price is at least what most others pay, and a provider without fee data causes no warning', async () => {
  const fees = [1n, 2n, 3n, 4_000n].map((fee) => fee * 1n);
  const busy = stage(100n, 9_000n, fees);
  busy.expired(100n);
  assert.equal(await busy.price(), 4_000n);
  const dear = stage(100n, 3_000n, fees);
  dear.expired(100n);
  assert.equal(await dear.price(), 3_000n);
  const silent = stage(100n, 9_000n, new Error('Method not found'));
  silent.expired(100n);
  assert.deepEqual([await silent.price(), silent.troubles], [1_000n, []]);
});

test('the price returns to the settings ten minutes after the last expiry', async () => {
  const { price, expired, pass } = stage(2_000n, 50_000n, []);
  expired(2_000n);
  pass(599_999);
  assert.equal(await price(), 4_000n);
  pass(1);
  assert.equal(await price(), 2_000n);
  expired(2_000n);
  assert.equal(await price(), 4_000n);
});
