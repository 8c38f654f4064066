// Tests finding the owner that lost tokens in a landed transaction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLandedTransaction, senderOf } from './landed-transaction.ts';

const MINT = 'mint';

function landed(
  ...changes: readonly (readonly [owner: string, before: number, after: number, mint?: string])[]
) {
  const balances = (side: 1 | 2) =>
    changes.map(({ 0: owner, [side]: amount, 3: mint = MINT }, accountIndex) => ({
      ...{ accountIndex, mint, owner, uiTokenAmount: { amount: String(amount) } },
    }));
  const lamports = changes.map(() => 0);
  return readLandedTransaction({
    slot: 7,
    meta: {
      ...{ err: null, fee: 5_000, preBalances: lamports, postBalances: lamports },
      ...{ preTokenBalances: balances(1), postTokenBalances: balances(2) },
    },
    transaction: { message: { accountKeys: changes.map(([owner]) => `account of ${owner}`) } },
  });
}

test('the sender is the owner that lost the most tokens of the mint, in any order of the accounts', () => {
  const small = ['small', 10, 8] as const;
  const great = ['great', 90, 40] as const;
  const middle = ['middle', 1_000, 980] as const;
  const ours = ['ours', 0, 72] as const;
  for (const changes of [
    [small, great, middle, ours],
    [great, small, ours, middle],
    [ours, middle, small, great],
  ])
    assert.equal(senderOf(landed(...changes), MINT), 'great');
});

test('an owner that lost only other tokens, or no tokens, is not the sender', () => {
  const other = ['other', 500, 0, 'another mint'] as const;
  assert.equal(senderOf(landed(['ours', 0, 5], other, ['small', 5, 0]), MINT), 'small');
  assert.equal(senderOf(landed(['ours', 0, 5], other, ['still', 5, 5]), MINT), null);
});
