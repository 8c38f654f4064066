// Tests the bank charges for payouts and refunds. The commit that ends a movement posts its charge, from the bank account that
// paid. The amount comes from the rail, or otherwise from the dated table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../../test/e2e/settled.ts';
import { openRig, POLYGON_WALLET } from '../../../../test/support/settlement.ts';
import { ledgerKey } from '../../../domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../../domain/ledger/ledger.ts';
import type { Transaction } from '../../../domain/records/transaction.ts';
import type { Rail } from '../../../ports/rails/rail.ts';
import type { PayoutStatus } from '../../../ports/rails/rail-payouts.ts';

const rig = await openRig();
const ACCOUNT = { bankCode: '058', number: '0123456789' };
const NAME = '058:0123456789';

function railThatSays(chargeMinor: bigint | null): (real: Rail) => readonly Rail[] {
  const saying = (status: PayoutStatus): PayoutStatus =>
    status.kind === 'paid' ? { ...status, chargeMinor } : status;
  return (real) => [
    {
      ...real,
      account: ACCOUNT,
      payouts: {
        ...real.payouts!,
        pay: async (order) => saying(await real.payouts!.pay(order)),
        ask: async (reference) => saying(await real.payouts!.ask(reference)),
      },
    },
  ];
}

async function fund(amountMinor: bigint): Promise<void> {
  const entry = entryOf('float_funded', {
    ...{ mode: 'test', subjectId: 'fund_rail', payoutAccount: NAME, amounts: { amount: amountMinor } },
  });
  assert.equal((await rig.deps.store.commit([{ atMs: rig.now(), entries: [entry] }]))[0]!.kind, 'committed');
}

async function paidBy(rails: (real: Rail) => readonly Rail[], changes: Partial<Transaction> = {}) {
  const sell = await rig.sell({ wallet: POLYGON_WALLET, ...changes });
  await rig.depositFor(sell, sell.amountMinor);
  const process = rig.another({ rails });
  for (let step = 0; step < 100; step++) {
    await process.run();
    if ((await rig.find(sell.id)).state === 'completed') return sell;
    rig.pass(500);
  }
  return assert.fail('it was never paid');
}

const chargesOf = async ({ id }: Transaction) =>
  (await rig.events(id)).filter((event) => event.endsWith('_charged'));
const balance = async () => {
  const key = ledgerKey('test', 'NGN', 'bank_out', NAME);
  return new Map(await rig.deps.store.balances([key])).get(key) ?? 0n;
};

test('if the rail reports no charge, each part of it is computed from the table and booked to the account that paid', async () => {
  await fund(100_000_000n);
  const sell = await paidBy(railThatSays(null), { amountMinor: 10_000_000n });
  assert.deepEqual(await chargesOf(sell), ['bank_charged', 'vat_charged', 'stamp_duty_charged']);
  const books = await rig.books(sell.id);
  assert.equal(books['NGN charges'], 10_375n);
  assert.equal(await balance(), 100_000_000n - (sell.amountMinor - sell.feeMinor) - 10_375n);
  await booksBalance({ foundation: rig } as never);
});

test('a charge that the rail reports is used, even if it is zero', async () => {
  const some = await paidBy(railThatSays(1_234n));
  assert.deepEqual(await chargesOf(some), ['bank_charged']);
  assert.equal((await rig.books(some.id))['NGN charges'], 1_234n);
  assert.deepEqual(await chargesOf(await paidBy(railThatSays(0n))), []);
});

test('threat 94: if the account has too little money for the charges, the payout is recorded, and people post the charges later', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET, amountMinor: 2_000_000n });
  const taken = entryOf('naira_withdrawn', {
    ...{ mode: 'test', subjectId: 'nai_1', payoutAccount: NAME },
    amounts: { amount: (await balance()) - (sell.amountMinor - sell.feeMinor) },
  });
  await rig.deps.store.commit([{ atMs: rig.now(), entries: [taken] }]);
  await rig.depositFor(sell, sell.amountMinor);
  const process = rig.another({ rails: railThatSays(null) });
  for (let step = 0; step < 100 && (await rig.find(sell.id)).state !== 'completed'; step++) {
    await process.run();
    rig.pass(500);
  }
  assert.deepEqual([(await rig.find(sell.id)).state, await balance()], ['completed', 0n]);
  assert.deepEqual(await chargesOf(sell), []);
  assert.ok(process.troubles.some(({ message }) => message === 'a step was refused'));
});
