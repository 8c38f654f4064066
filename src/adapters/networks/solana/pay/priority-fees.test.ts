// What is offered rises when it was not enough, once for all that expired together, never above the cap, and goes back.
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

test('it is what the settings say until something expires, whatever others pay', async () => {
  assert.equal(await stage(500n, 9_000n, [8_000n]).price(), 500n);
});

test('it doubles with each that expired at the newest fee, up to the cap', async () => {
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

test('from nothing it rises, too; where the cap is nothing it never does', async () => {
  const free = stage(0n, 5_000n, []);
  free.expired(0n);
  assert.equal(await free.price(), 1_000n);
  const never = stage(0n, 0n, [7_000n]);
  never.expired(0n);
  assert.equal(await never.price(), 0n);
});

test('once raised it is at least what most others pay, and what a provider does not say is no trouble', async () => {
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

test('ten minutes after the last that expired it is as before', async () => {
  const { price, expired, pass } = stage(2_000n, 50_000n, []);
  expired(2_000n);
  pass(599_999);
  assert.equal(await price(), 4_000n);
  pass(1);
  assert.equal(await price(), 2_000n);
  expired(2_000n);
  assert.equal(await price(), 4_000n);
});
