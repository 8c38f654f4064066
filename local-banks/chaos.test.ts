import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseNairaAsKobo } from './books/money.ts';
import type { BankFaultKind } from './faults/kinds.ts';
import { makeBankTestStage } from './test-stage.ts';

const KINDS: readonly BankFaultKind[] = [
  'cut-before',
  'cut-after',
  'cut-middle',
  'error-500',
  'error-502',
  'not-json',
  'unknown-status',
  'in-progress-then-success',
  'in-progress-then-failure',
  'success-then-reversed',
  'failed-then-success',
  'insufficient',
];
const ORDERS = 40;
const TRIES = 4;

describe('local banks with random faults', () => {
  it('pays each reference at most once, however often a caller repeats it, and the balance is the sum of the books', async () => {
    const { banks, call, clock, end } = await makeBankTestStage();
    for (const [seed, kind] of KINDS.entries()) banks.setFault({ kind, probability: 0.08, seed });
    const { url, credentials } = banks.providus;
    const pay = (index: number) =>
      call(`${url}/NIPFundTransfer`, {
        method: 'POST',
        body: {
          ...{ ...credentials, transactionReference: `ref-${index}`, transactionAmount: `${index + 1}.01` },
          ...{ beneficiaryAccountName: 'ADA', currencyCode: 'NGN', narration: '' },
          ...{ beneficiaryAccountNumber: '0123456785', beneficiaryBank: '000013' },
        },
      });
    const tries = Array.from({ length: ORDERS * TRIES }, (_, index) => pay(index % ORDERS));
    const outcomes = await Promise.allSettled(tries);
    assert.ok(outcomes.some(({ status }) => status === 'rejected'));
    for (const seconds of [0, 60, 1]) {
      clock.pass(seconds);
      const { payouts, balance } = banks.books().providus;
      const references = payouts.map(({ reference }) => reference);
      assert.equal(new Set(references).size, references.length);
      const gone = payouts
        .filter(({ state }) => state === 'paid' || state === 'pending')
        .reduce((sum, { amount }) => sum + parseNairaAsKobo(amount)!, 0n);
      assert.equal(parseNairaAsKobo(balance), 50_000_000_000n - gone);
      const paid = payouts.find(({ state }) => state === 'paid');
      if (paid !== undefined) await banks.reverse({ rail: 'providus', reference: paid.reference });
      if (seconds > 0) assert.ok(payouts.every(({ state }) => state !== 'pending'));
    }
    await end();
  });
});
