// Tests a deposit whose address holds too little. People get one case about the missing kobo, which are rounded up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deposit } from '../../../test/http/settlement-fixtures.ts';
import { sell } from '../../../test/http/store-fixtures.ts';
import { holdShortDeposit } from './short-deposit.ts';

const FACTS = { decimals: 6, atMs: 1, dueAtMs: 9, newCaseId: 'cas_1' };

test('the amount of the case is the missing amount, rounded up to whole kobo', () => {
  const missing = (missingMinor: bigint) =>
    holdShortDeposit(null, { ...FACTS, deposit: deposit(), missingMinor }).openCase?.amountMinor;
  // The token has six decimals, so ten thousand units are one kobo.
  assert.equal(missing(1n), 1n);
  assert.equal(missing(9_999n), 1n);
  assert.equal(missing(10_000n), 1n);
  assert.equal(missing(10_001n), 2n);
  assert.equal(missing(500_000n), 50n);
});

test('one case is opened, for the business of the sell, and the deposit is checked again later', () => {
  const [of, came] = [sell(), deposit()];
  const first = holdShortDeposit(of, { ...FACTS, deposit: came, missingMinor: 10_000n });
  assert.deepEqual(
    [first.openCase?.id, first.openCase?.businessId, first.openCase?.about],
    ['cas_1', of.businessId, came.id],
  );
  const { after } = first.deposits![0]!;
  assert.deepEqual([after.exception, after.dueAtMs, after.state], ['arrived_short', 9, came.state]);
  const second = holdShortDeposit(of, { ...FACTS, deposit: after, missingMinor: 10_000n });
  assert.equal(second.openCase, undefined);
});
