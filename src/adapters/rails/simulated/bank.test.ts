// Tests the charges of the simulated bank, and its behaviour in each scenario.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemoryWorld } from '../../../../test/support/memory-world.ts';
import type { Scenario } from '../../../ports/sandbox.ts';
import { makeSimulation } from '../../simulation/simulation.ts';
import { makeSimulatedBank } from './bank.ts';
import { payoutChargeMinor } from './payouts.ts';

function bankIn(scenario: Scenario) {
  const world = makeMemoryWorld();
  world.addPlay('txn_1', scenario, 0);
  let nowMs = Date.parse('2026-11-14T23:30:15Z');
  const options = { seed: 'bank', faultPercent: 0, paceMs: 100 };
  const bank = makeSimulatedBank(makeSimulation({ world, clock: { now: () => nowMs }, options }));
  const destination = { bankCode: '058', accountNumber: '0123456785', accountName: 'Ada Obi' };
  const order = { reference: 'mov-1', amountMinor: 100_000_00n, destination, about: 'txn_1' };
  return {
    bank,
    order,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('a payout costs a fee by amount, VAT on the fee to the nearest kobo, and stamp duty from 10,000 naira', () => {
  for (const [amount, charge] of [
    [1n, 10_75n],
    [5_000_00n, 10_75n],
    [5_000_01n, 26_88n],
    [9_999_99n, 26_88n],
    [10_000_00n, 76_88n],
    [50_000_00n, 76_88n],
    [50_000_01n, 103_75n],
    [100_000_00n, 103_75n],
  ] as const) {
    assert.equal(payoutChargeMinor(amount), charge, `${amount}`);
  }
});

test('payout_fails: the payout is pending, then failed; nothing is paid out', async () => {
  const { bank, order, pass } = bankIn('payout_fails');
  assert.deepEqual(await bank.payouts.pay(order), { kind: 'pending' });
  pass(125);
  assert.equal((await bank.payouts.ask('mov-1')).kind, 'failed');
  assert.deepEqual(await bank.paidOut('txn_1'), []);
});

test('payout_unknown: the response to the order is lost; queries return unknown, then pending, then paid', async () => {
  const { bank, order, pass } = bankIn('payout_unknown');
  assert.equal((await bank.payouts.pay(order)).kind, 'unknown');
  const kinds: string[] = [];
  for (let i = 0; i < 40; i++) {
    const answer = await bank.payouts.ask('mov-1');
    if (answer.kind !== kinds.at(-1)) kinds.push(answer.kind);
    pass(10);
  }
  assert.deepEqual(kinds, ['unknown', 'pending', 'paid']);
  assert.equal((await bank.paidOut('txn_1')).length, 1);
});

test('payout_name_mismatch: only for this transaction, the name enquiry returns another person’s name', async () => {
  const question = { bankCode: '058', accountNumber: '0123456785', expectedName: 'Ada Obi' };
  const { bank } = bankIn('payout_name_mismatch');
  assert.deepEqual(await bank.payouts.enquireName({ ...question, about: 'txn_1' }), {
    kind: 'found',
    name: 'ANOTHER ACCOUNT HOLDER',
  });
  for (const about of [null, 'txn_2']) {
    assert.deepEqual(await bank.payouts.enquireName({ ...question, about }), {
      kind: 'found',
      name: 'Ada Obi',
    });
  }
});

test('a paid payout has its charge and a session number that contains the Lagos time', async () => {
  const { bank, order, pass } = bankIn('paid');
  await bank.payouts.pay(order);
  pass(125);
  const paid = await bank.payouts.ask('mov-1');
  assert.ok(paid.kind === 'paid');
  assert.match(paid.sessionId ?? '', /^999999261115003015[0-9]{12}$/);
  assert.equal(paid.chargeMinor, 103_75n);
});

test('a repeated test payment is ignored; only an existing payment can be reversed or returned, and only once', async () => {
  const { bank, order, pass } = bankIn('paid');
  const payer = { payerAccount: null, payerName: 'Ada Obi', payerBankName: null };
  const account = { accountNumber: '1234567890', accountBankCode: null };
  const credit = { ...account, ...payer, amountMinor: 5_00n, narration: null, sessionId: null };
  assert.equal(await bank.reverse('credit-1'), false);
  await bank.payIn('credit-1', credit, 1);
  await bank.payIn('credit-1', { ...credit, amountMinor: 1n }, 3);
  for (let times = 0; times < 2; times++) assert.equal(await bank.reverse('credit-1'), true);
  assert.equal(await bank.returnPayout('mov-1'), false);
  await bank.payouts.pay(order);
  assert.equal(await bank.returnPayout('mov-1'), false);
  pass(125);
  for (let times = 0; times < 2; times++) assert.equal(await bank.returnPayout('mov-1'), true);
  const { lines } = await bank.statement.read(null);
  assert.deepEqual(
    lines.map(({ kind, amountMinor }) => [kind, amountMinor]),
    [
      ['credit', 5_00n],
      ['credit_reversed', 5_00n],
      ['payout_returned', 100_000_00n],
    ],
  );
});
