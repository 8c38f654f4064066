// Defines the contract of payouts: a rail pays a reference at most once, never reports an uncertain outcome as failed, and
// reports a lost response as `unknown`. The bank chooses charges and session numbers, so the tests check only their format.
import assert from 'node:assert/strict';
import { assertPaidOnce, type Case, MANY_STEPS, order, payoutsOf, settle } from './case.ts';
import type { BankHarness, Trouble } from './harness.ts';
import { OUTCOMES } from './outcomes.ts';

const pays = ({ rail }: BankHarness) => rail.payouts !== null;
/** This time is after every payout and is still a valid date. */
const FAR_AHEAD_MS = 4_102_444_800_000;
const meets = (trouble: Trouble) => (harness: BankHarness) => pays(harness) && harness.troubles.has(trouble);

const ORDERS: readonly Case[] = [
  {
    title: 'a payout is made once, with a session and a charge in our form',
    needs: pays,
    run: async (harness) => {
      const wanted = order(harness);
      assert.match((await payoutsOf(harness).pay(wanted)).kind, /^(pending|paid)$/);
      const paid = (await assertPaidOnce(harness, wanted)).at(-1)!;
      assert.ok(paid.kind === 'paid');
      assert.ok(paid.sessionId === null || paid.sessionId !== '');
      assert.ok(paid.chargeMinor === null || paid.chargeMinor >= 0n);
    },
  },
  {
    title:
      'the rail’s own list has each payout once, as it was ordered, and only those between the two times',
    needs: ({ rail }) => pays({ rail } as BankHarness) && rail.payoutList !== undefined,
    run: async (harness) => {
      const { payoutList } = harness.rail;
      const orders = [order(harness), order(harness, { amountMinor: 7_001n })];
      for (const each of orders) {
        await payoutsOf(harness).pay(each);
        await assertPaidOnce(harness, each);
      }
      const listed = await payoutList!.read(0, FAR_AHEAD_MS);
      for (const { reference, amountMinor, destination } of orders) {
        const own = listed.filter((each) => each.reference === reference);
        assert.deepEqual(
          own.map((each) => [each.amountMinor, each.accountNumber, each.standing]),
          [[amountMinor, destination.accountNumber, 'paid']],
        );
      }
      assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length);
      assert.deepEqual(await payoutList!.read(1, 2), []);
    },
  },
  {
    title: 'threat 56: the same reference sent many times, even from another process, pays once',
    needs: pays,
    run: async (harness) => {
      const wanted = order(harness);
      const other = payoutsOf({ rail: harness.restarted() });
      const answers = await Promise.all([
        ...Array.from({ length: 5 }, () => payoutsOf(harness).pay(wanted)),
        ...Array.from({ length: 5 }, () => other.pay(wanted)),
      ]);
      for (const { kind } of answers) assert.match(kind, /^(pending|paid|unknown)$/);
      await assertPaidOnce(harness, wanted);
    },
  },
  {
    title: 'a finished payout does not change: paying or querying again gives the same answer',
    needs: pays,
    run: async (harness) => {
      const wanted = order(harness);
      await payoutsOf(harness).pay(wanted);
      const paid = (await assertPaidOnce(harness, wanted)).at(-1)!;
      const other = payoutsOf({ rail: harness.restarted() });
      for (const again of [await other.pay(wanted), await other.ask(wanted.reference)])
        assert.deepEqual(again, paid);
      assert.equal((await harness.paid(wanted.reference)).length, 1);
    },
  },
  {
    title: 'threat 56: a reference with another amount pays nothing more: the first order is valid',
    needs: pays,
    run: async (harness) => {
      const wanted = order(harness);
      await payoutsOf(harness).pay(wanted);
      const changed = { ...wanted, amountMinor: wanted.amountMinor + 1n };
      assert.notEqual((await payoutsOf(harness).pay(changed)).kind, 'failed');
      await assertPaidOnce(harness, wanted);
    },
  },
  {
    title: 'two references with the same amount and account are two payouts',
    needs: pays,
    run: async (harness) => {
      const both = [order(harness), order(harness)];
      for (const each of both) {
        // Some banks refuse equal payouts for a while, so the test submits the same order again after some time.
        for (let step = 0; step < MANY_STEPS; step++) {
          if (/^(pending|paid)$/.test((await payoutsOf(harness).pay(each)).kind)) break;
          await harness.pass();
        }
      }
      for (const each of both) await assertPaidOnce(harness, each);
    },
  },
];

const UNCERTAIN: readonly Case[] = [
  {
    title: 'threat 56: a payout whose answer is lost is unknown, and a query finds it paid',
    needs: meets('pay_answer_lost'),
    run: async (harness) => {
      const wanted = order(harness);
      await harness.meet('pay_answer_lost', wanted.reference);
      assert.equal((await payoutsOf(harness).pay(wanted)).kind, 'unknown');
      await assertPaidOnce(harness, wanted);
      assert.equal((await payoutsOf(harness).pay(wanted)).kind, 'paid');
      assert.equal((await harness.paid(wanted.reference)).length, 1);
    },
  },
  {
    title: 'threat 56: an order that never arrived is unknown; sent again it pays once',
    needs: meets('pay_not_sent'),
    run: async (harness) => {
      const wanted = order(harness);
      await harness.meet('pay_not_sent', wanted.reference);
      assert.equal((await payoutsOf(harness).pay(wanted)).kind, 'unknown');
      assert.match((await payoutsOf(harness).ask(wanted.reference)).kind, /^(not_found|unknown)$/);
      assert.deepEqual(await harness.paid(wanted.reference), []);
      await payoutsOf(harness).pay(wanted);
      await assertPaidOnce(harness, wanted);
    },
  },
  ...(
    [
      ['pay_unclear', 'unknown'],
      ['pay_not_found', 'not_found'],
    ] as const
  ).map(
    ([trouble, said]): Case => ({
      title: `threat 57: ${said} is not failed: a payout with an uncertain answer is finally paid, once`,
      needs: meets(trouble),
      run: async (harness) => {
        const wanted = order(harness);
        await harness.meet(trouble, wanted.reference);
        assert.equal((await payoutsOf(harness).pay(wanted)).kind, 'unknown');
        const kinds = (await assertPaidOnce(harness, wanted)).map(({ kind }) => kind);
        assert.equal(kinds[0], said);
        assert.ok(!kinds.includes('failed'));
      },
    }),
  ),
  {
    title: 'threat 57: failed is final: nothing was paid, and the reference will never be paid',
    needs: meets('pay_refused'),
    run: async (harness) => {
      const wanted = order(harness);
      await harness.meet('pay_refused', wanted.reference);
      await payoutsOf(harness).pay(wanted);
      const failed = (await settle(harness, wanted.reference)).at(-1)!;
      assert.ok(failed.kind === 'failed' && failed.reason !== '');
      assert.equal((await payoutsOf(harness).pay(wanted)).kind, 'failed');
      for (let step = 0; step < 8; step++) await harness.pass();
      assert.equal((await payoutsOf(harness).ask(wanted.reference)).kind, 'failed');
      assert.deepEqual(await harness.paid(wanted.reference), []);
    },
  },
  {
    title: 'threat 57: an unused reference is not found, and never failed',
    needs: pays,
    run: async (harness) => {
      const { reference } = order(harness);
      for (let step = 0; step < 8; step++) {
        assert.deepEqual(await payoutsOf(harness).ask(reference), { kind: 'not_found' });
        await harness.pass();
      }
    },
  },
];

const ANSWERS: readonly Case[] = [
  {
    title: 'a query whose answer is lost is unknown, and changes nothing',
    needs: meets('ask_lost'),
    run: async (harness) => {
      const wanted = order(harness);
      await payoutsOf(harness).pay(wanted);
      await harness.meet('ask_lost', wanted.reference);
      assert.equal((await payoutsOf(harness).ask(wanted.reference)).kind, 'unknown');
      await assertPaidOnce(harness, wanted);
    },
  },
  {
    title: 'a name enquiry returns the holder, or that there is no such account; a lost answer is unknown',
    needs: pays,
    run: async (harness) => {
      const { account, noAccount, troubles } = harness;
      const { bankCode, accountNumber, accountName } = account;
      const enquire = payoutsOf(harness).enquireName;
      const question = { bankCode, accountNumber, expectedName: accountName, about: null };
      assert.deepEqual(await enquire(question), { kind: 'found', name: accountName });
      const unnamed = await enquire({ ...question, expectedName: null });
      assert.ok(unnamed.kind === 'found' && unnamed.name !== '');
      assert.deepEqual(await enquire({ ...question, accountNumber: noAccount }), { kind: 'no_account' });
      if (!troubles.has('enquiry_lost')) return;
      await harness.meet('enquiry_lost', accountNumber);
      assert.equal((await enquire(question)).kind, 'unknown');
    },
  },
];

export const PAYOUTS: readonly Case[] = [...ORDERS, ...UNCERTAIN, ...ANSWERS, ...OUTCOMES];
