// Tests when a vendor's account counts as silent, and when it only has a quiet day.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSilentVendor, type VendorActivity } from './vendors.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const POLICY = { silentMs: 24 * HOUR, claims: 5 };
const DEAD: VendorActivity = {
  ...{
    vendorId: 'vnd_1',
    lastCreditAtMs: NOW - 30 * HOUR,
    sinceMs: NOW - 30 * HOUR,
    unpaid: 8,
    businesses: 2,
  },
  ...{ paidBefore: 90, endedBefore: 100, payersBefore: 5 },
};
const judged = (changes: Partial<VendorActivity>) => isSilentVendor({ ...DEAD, ...changes }, POLICY, NOW);

describe('a vendor account', () => {
  it('a vendor is silent when its customers used to pay and none has paid for a day', () => {
    assert.equal(judged({}), true);
    assert.equal(judged({ businesses: 1, payersBefore: 1 }), true);
  });

  it('a vendor is not silent when few claims are unpaid, when it never received a credit, or when its last credit is recent', () => {
    assert.equal(judged({ unpaid: 4 }), false);
    assert.equal(judged({ lastCreditAtMs: null, sinceMs: null }), false);
    assert.equal(judged({ sinceMs: NOW - 23 * HOUR }), false);
    assert.equal(judged({ paidBefore: 0, endedBefore: 0 }), false);
  });

  it('a vendor is not silent when most earlier claims were unpaid too, because eight more may be chance', () => {
    assert.equal(judged({ paidBefore: 20 }), false);
    assert.equal(judged({ paidBefore: 20, unpaid: 40 }), true);
  });

  it('a vendor is silent when the probability of so many unpaid claims is below one in a thousand, but not at exactly one in a thousand', () => {
    const three = (paidBefore: number) =>
      isSilentVendor({ ...DEAD, unpaid: 3, paidBefore, endedBefore: 1_000 }, { ...POLICY, claims: 3 }, NOW);
    assert.equal(three(899), false);
    assert.equal(three(900), false);
    assert.equal(three(901), true);
  });

  it('a vendor is not silent because one business makes claims and never pays', () => {
    assert.equal(judged({ unpaid: 500, businesses: 1 }), false);
  });
});
