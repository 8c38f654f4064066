// A deposit whose address holds too little: people are asked once, about the kobo that are missing, a begun one counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deposit } from '../../../test/http/settlement-fixtures.ts';
import { sell } from '../../../test/http/store-fixtures.ts';
import { holdShortDeposit } from './short-deposit.ts';

const FACTS = { decimals: 6, atMs: 1, dueAtMs: 9, newCaseId: 'cas_1' };

test('the case is about whole kobo: as many as are missing, and one more for a part of one', () => {
  const missing = (missingMinor: bigint) =>
    holdShortDeposit(null, { ...FACTS, deposit: deposit(), missingMinor }).openCase?.amountMinor;
  // Six decimals: ten thousand units are a kobo.
  assert.equal(missing(1n), 1n);
  assert.equal(missing(9_999n), 1n);
  assert.equal(missing(10_000n), 1n);
  assert.equal(missing(10_001n), 2n);
  assert.equal(missing(500_000n), 50n);
});

test('people are asked once, of the business whose sell it is for, and the network is asked on', () => {
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
