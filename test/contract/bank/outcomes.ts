// Defines the contract of payout outcomes, which decide what happens to the money next. After `not_sent`, or a refusal by the
// rail's own fault, the service may use another rail. `returned` gives the money back, and everything less certain is unknown.
import assert from 'node:assert/strict';
import { assertPaidOnce, type Case, MANY_STEPS, order, payoutsOf, settle } from './case.ts';
import type { BankHarness, Trouble } from './harness.ts';

const pays = ({ rail }: BankHarness) => rail.payouts !== null;
const meets =
  (...troubles: readonly Trouble[]) =>
  (harness: BankHarness) =>
    pays(harness) && troubles.every((trouble) => harness.troubles.has(trouble));

const CONNECTIONS: readonly Case[] = [
  {
    title: 'an unreachable bank: an order is not sent, a query is unknown, and nothing is paid',
    needs: (harness) => pays(harness) && harness.unconnected !== undefined,
    run: async (harness) => {
      const wanted = order(harness);
      const { bankCode, accountNumber } = wanted.destination;
      const away = payoutsOf({ rail: harness.unconnected!() });
      const sent = await away.pay(wanted);
      assert.ok(sent.kind === 'not_sent' && sent.reason !== '');
      const question = { bankCode, accountNumber, expectedName: null, about: null };
      for (const asked of [away.ask(wanted.reference), away.enquireName(question), away.balance()])
        assert.equal((await asked).kind, 'unknown');
      assert.deepEqual(await harness.paid(wanted.reference), []);
      await payoutsOf(harness).pay(wanted);
      await assertPaidOnce(harness, wanted);
    },
  },
  ...(
    [
      ['pay_late', 'too late'],
      ['pay_cut', 'cut off in the middle'],
      ['pay_undocumented', 'given with an undocumented code'],
      ['pay_repeated_field', 'given twice, with other values (threat 98)'],
    ] as const
  ).map(
    ([trouble, how]): Case => ({
      title: `threat 56: a payout whose answer is ${how} is unknown: a query finds it paid, and it is paid once`,
      needs: meets(trouble),
      run: async (harness) => {
        const wanted = order(harness, { isFirst: true });
        await harness.meet(trouble, wanted.reference);
        // A timeout that is too short for the response may also be too short for the connection. In that case nothing was sent,
        // and the test tries again.
        let sent = await payoutsOf(harness).pay(wanted);
        for (let tries = 0; sent.kind === 'not_sent' && trouble === 'pay_late' && tries < 9; tries++)
          sent = await payoutsOf(harness).pay(wanted);
        assert.equal(sent.kind, 'unknown');
        await assertPaidOnce(harness, wanted);
      },
    }),
  ),
  ...(
    [
      ['ask_undocumented', 'unknown'],
      ['ask_not_found', 'not_found'],
    ] as const
  ).map(
    ([trouble, said]): Case => ({
      title: `threat 57: ${trouble}: a query with this answer returns ${said}, and the payout does not change`,
      needs: meets(trouble),
      run: async (harness) => {
        const wanted = order(harness);
        await payoutsOf(harness).pay(wanted);
        await assertPaidOnce(harness, wanted);
        await harness.meet(trouble, wanted.reference);
        assert.equal((await payoutsOf(harness).ask(wanted.reference)).kind, said);
        assert.equal((await payoutsOf(harness).ask(wanted.reference)).kind, 'paid');
      },
    }),
  ),
];

const REFUSALS: readonly Case[] = [
  ...(
    [
      ['pay_bad_account', 'payout'],
      ['pay_no_money', 'rail'],
    ] as const
  ).map(
    ([trouble, fault]): Case => ({
      title: `${trouble}: a refusal is final and is the fault of the ${fault}`,
      needs: meets(trouble),
      run: async (harness) => {
        const wanted = order(harness, { isFirst: true });
        await harness.meet(trouble, wanted.reference);
        const said = await payoutsOf(harness).pay(wanted);
        const refused = said.kind === 'failed' ? said : (await settle(harness, wanted.reference)).at(-1)!;
        assert.ok(refused.kind === 'failed' && refused.reason !== '');
        assert.equal(refused.fault, fault);
        for (let step = 0; step < 8; step++) await harness.pass();
        assert.deepEqual(await harness.paid(wanted.reference), []);
      },
    }),
  ),
  {
    title: 'threat 56: an order that may have been paid before is not failed because it is refused now',
    needs: meets('pay_answer_lost', 'pay_no_money', 'ask_not_found'),
    run: async (harness) => {
      const wanted = order(harness);
      await harness.meet('pay_answer_lost', wanted.reference);
      assert.equal((await payoutsOf(harness).pay({ ...wanted, isFirst: true })).kind, 'unknown');
      await harness.meet('pay_no_money', wanted.reference);
      await harness.meet('ask_not_found', wanted.reference);
      assert.match((await payoutsOf(harness).pay(wanted)).kind, /^(unknown|pending|paid)$/);
      await assertPaidOnce(harness, wanted);
    },
  },
];

const CHANGES: readonly Case[] = [
  {
    title: 'a payout that was paid and comes back is first paid and then returned',
    needs: meets('paid_then_returned'),
    run: async (harness) => {
      const wanted = order(harness);
      await harness.meet('paid_then_returned', wanted.reference);
      await payoutsOf(harness).pay(wanted);
      await assertPaidOnce(harness, wanted);
      const last = (await settle(harness, wanted.reference, ['returned', 'failed'])).at(-1)!;
      assert.ok(last.kind === 'returned' && last.reason !== '');
      assert.equal((await payoutsOf({ rail: harness.restarted() }).ask(wanted.reference)).kind, 'returned');
    },
  },
  {
    title: 'a rail that corrects its report is believed: failed, and later paid',
    needs: meets('failed_then_paid'),
    run: async (harness) => {
      const wanted = order(harness);
      await harness.meet('failed_then_paid', wanted.reference);
      await payoutsOf(harness).pay(wanted);
      assert.equal((await settle(harness, wanted.reference)).at(-1)!.kind, 'failed');
      const last = (await settle(harness, wanted.reference, ['paid'])).at(-1)!;
      assert.equal(last.kind, 'paid');
      assert.deepEqual(await harness.paid(wanted.reference), [wanted.amountMinor]);
    },
  },
];

const BALANCES: readonly Case[] = [
  {
    title: 'the balance equals the books of the bank, before and after a payout; a lost answer is unknown',
    needs: (harness) => pays(harness) && harness.balanceMinor !== undefined,
    run: async (harness) => {
      const known = async () => {
        const balance = await payoutsOf(harness).balance();
        assert.ok(balance.kind === 'known');
        assert.equal(balance.availableMinor, harness.balanceMinor!());
        return balance.availableMinor;
      };
      const beforeMinor = await known();
      const wanted = order(harness);
      await payoutsOf(harness).pay(wanted);
      await assertPaidOnce(harness, wanted);
      assert.ok((await known()) <= beforeMinor - wanted.amountMinor);
      if (!harness.troubles.has('balance_lost')) return;
      await harness.meet('balance_lost', '');
      assert.equal((await payoutsOf(harness).balance()).kind, 'unknown');
    },
  },
  {
    title: 'a bank that is in no directory is unreachable: an enquiry is unknown, and an order is not sent',
    needs: (harness) => pays(harness) && harness.unconnected !== undefined,
    run: async (harness) => {
      const payouts = payoutsOf(harness);
      const wanted = order(harness);
      assert.equal(payouts.reaches(wanted.destination.bankCode), true);
      const destination = { ...wanted.destination, bankCode: 'no-such-bank' };
      assert.equal(payouts.reaches(destination.bankCode), false);
      const question = { ...destination, expectedName: null, about: null };
      assert.equal((await payouts.enquireName(question)).kind, 'unknown');
      assert.equal((await payouts.pay({ ...wanted, destination })).kind, 'not_sent');
      for (let step = 0; step < MANY_STEPS / 50; step++) await harness.pass();
      assert.deepEqual(await harness.paid(wanted.reference), []);
    },
  },
];

export const OUTCOMES: readonly Case[] = [...CONNECTIONS, ...REFUSALS, ...CHANGES, ...BALANCES];
