import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Faults } from './faults.ts';

describe('faults of the local banks', () => {
  const PAY = { rail: 'paystack', operation: 'pay' } as const;

  it('a fault affects one request unless it is set for more', () => {
    const faults = new Faults(() => 0);
    faults.set({ kind: 'cut-after' });
    assert.equal(faults.take(['cut-after'], PAY)?.kind, 'cut-after');
    assert.equal(faults.take(['cut-after'], PAY), undefined);
  });

  it('a fault affects only the rail, the operation, the account and the reference that it names', () => {
    const faults = new Faults(() => 0);
    faults.set({ kind: 'cut-after', rail: 'paystack', account: '0123456785', reference: 'a' });
    const asked = { ...PAY, account: '0123456785', reference: 'a' };
    for (const other of [
      { rail: 'monnify' },
      { operation: 'status' },
      { account: '1' },
      { reference: 'b' },
    ] as const)
      assert.equal(faults.take(['cut-after'], { ...asked, ...other }), undefined);
    assert.equal(faults.take(['cut-before'], asked), undefined);
    assert.notEqual(faults.take(['cut-after'], asked), undefined);
  });

  it('a fault lasts for the time it was set for', () => {
    let now = 0;
    const faults = new Faults(() => now);
    faults.set({ kind: 'cut-after', forSeconds: 10 });
    now = 9_999;
    assert.notEqual(faults.take(['cut-after'], PAY), undefined);
    now = 10_000;
    assert.equal(faults.take(['cut-after'], PAY), undefined);
  });

  it('a fault with the same seed affects the same requests, and their share is close to its probability', () => {
    const drawn = (seed: number) => {
      const faults = new Faults(() => 0);
      faults.set({ kind: 'cut-after', probability: 0.3, seed });
      return Array.from({ length: 1_000 }, () => faults.take(['cut-after'], PAY) !== undefined);
    };
    assert.deepEqual(drawn(7), drawn(7));
    assert.notDeepEqual(drawn(7), drawn(8));
    const met = drawn(7).filter(Boolean).length;
    assert.ok(met > 250 && met < 350, `${met} of 1,000`);
  });
});
