// The contract of two rails: the same reference on both is two payouts, and neither rail knows the payouts of the other.
import assert from 'node:assert/strict';
import { assertPaidOnce, type Case, order, payoutsOf, statementOf } from './case.ts';

export const TWO_RAILS: readonly Case[] = [
  {
    title: 'two rails with the same references are independent',
    needs: ({ rail, another }) => rail.payouts !== null && another !== undefined,
    run: async (harness) => {
      const other = await harness.another!();
      try {
        const wanted = order(harness);
        const { reference } = wanted;
        await payoutsOf(harness).pay(wanted);
        await assertPaidOnce(harness, wanted);
        assert.deepEqual(await payoutsOf(other).ask(reference), { kind: 'not_found' });
        assert.deepEqual(await other.paid(reference), []);
        const elsewhere = { ...wanted, destination: other.account, amountMinor: wanted.amountMinor + 1n };
        await payoutsOf(other).pay(elsewhere);
        await assertPaidOnce(other, elsewhere);
        assert.deepEqual(await harness.paid(reference), [wanted.amountMinor]);
        if (harness.outside?.returnPayout === undefined || other.rail.statement === null) return;
        await harness.outside.returnPayout(reference);
        assert.deepEqual((await statementOf(other).read(null)).lines, []);
      } finally {
        await other.close();
      }
    },
  },
];
