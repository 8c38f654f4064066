// Tests what stops money before it leaves: the limits, which two processes together cannot exceed, the lists of forbidden names
// and wallets, and the pause. It also tests fees, which the service takes with the send and never from refunds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { DEATH } from '../../../test/support/networks/scripted-network.ts';
import { openRig, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { makeReviewStore } from '../../adapters/postgres/review/review-store.ts';
import type { Limit } from '../../domain/catalogue/limits.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { lagosDay } from '../../domain/values/calendar.ts';
import type { ScreeningSubject } from '../../ports/screening.ts';
import { makeLeaseRequest } from '../engine/leases.ts';
import { payOut } from '../movements/payouts/pay-out.ts';
import { sendTokens } from '../movements/sends/send-tokens.ts';

const rig = await openRig({ lateCredit: 'refund' });
const NONE: Limit = { perTransactionMinor: null, perDayMinor: null, perMonthMinor: null };

let people = 0;
async function paidBuy(changes: Partial<Transaction> = {}): Promise<Transaction> {
  people++;
  const payer = { accountNumber: `${8_000_000_000 + people * 7_919}`, amountMinor: 2_000_000n };
  const buy = await rig.buy({ ...payer, ...changes });
  await rig.payIn({ payerAccount: payer.accountNumber, amountMinor: buy.amountMinor });
  return buy;
}

async function limitedBusiness(id: string, limit: Partial<Limit>): Promise<string> {
  await rig.addBusiness(id);
  await rig.backOffice.saveLimit(
    { businessId: id, mode: 'test', ...NONE, ...limit },
    { actor: 'test', atMs: rig.now() },
  );
  return id;
}

const pause = (paused: boolean) =>
  rig.backOffice.setMovementsPaused(paused, 'test', { actor: 'test', atMs: rig.now() });
const endOf = async ({ id }: Transaction) => {
  const { state, exception } = await rig.until(id, 'completed', 'on_hold');
  return exception ?? state;
};

for (const [name, limit, exception] of [
  ['in one transaction', { perTransactionMinor: 1_999_999n }, 'limit_transaction'],
  ['in a day', { perDayMinor: 3_999_999n }, 'limit_day'],
  ['in a month', { perMonthMinor: 3_999_999n }, 'limit_month'],
] as const) {
  test(`threat 49: an amount above the limit of a business ${name} is held`, async () => {
    const businessId = await limitedBusiness(`biz_${exception}`, limit);
    const ends = [await endOf(await paidBuy({ businessId })), await endOf(await paidBuy({ businessId }))];
    assert.deepEqual(
      ends,
      exception === 'limit_transaction' ? [exception, exception] : ['completed', exception],
    );
    assert.equal(await endOf(await paidBuy()), 'completed', 'others have limits of their own');
  });
}

test('threat 49: an amount equal to the limit is allowed, and the next day starts at zero', async () => {
  const businessId = await limitedBusiness('biz_exact', { perDayMinor: 2_000_000n });
  assert.equal(await endOf(await paidBuy({ businessId })), 'completed');
  assert.equal(await endOf(await paidBuy({ businessId })), 'limit_day');
  rig.pass(24 * 3_600_000);
  assert.equal(await endOf(await paidBuy({ businessId })), 'completed');
});

test('threat 49: the day of a limit is the Lagos day on which the money moves, no matter when it was requested', async () => {
  const businessId = await limitedBusiness('biz_midnight', { perDayMinor: 2_000_000n });
  // Midnight in Lagos is 23:00 UTC.
  const intoDayMs = (rig.now() + 3_600_000) % 86_400_000;
  rig.pass(86_400_000 - intoDayMs - 60_000);
  const day = lagosDay(rig.now());
  assert.equal(await endOf(await paidBuy({ businessId })), 'completed');
  assert.equal(await endOf(await paidBuy({ businessId })), 'limit_day');
  const waiting = await rig.buy({ businessId, accountNumber: '8333333339', amountMinor: 2_000_000n });
  await rig.passing(2_000);
  assert.equal(lagosDay(rig.now()), day);
  rig.pass(60_000);
  assert.notEqual(lagosDay(rig.now()), day);
  assert.equal(new Date(rig.now()).toISOString().slice(0, 10), day, 'in Greenwich it is still the same day');
  await rig.payIn({ payerAccount: '8333333339', amountMinor: waiting.amountMinor });
  assert.equal(await endOf(waiting), 'completed', 'asked for yesterday, moved today');
  assert.equal(await endOf(await paidBuy({ businessId })), 'limit_day', 'and it counts today');
});

test('threat 49: sells count against the same limit', async () => {
  const businessId = await limitedBusiness('biz_sells', { perDayMinor: 2_000_000n });
  assert.equal(await endOf(await paidBuy({ businessId })), 'completed');
  const sell = await rig.sell({ businessId, wallet: POLYGON_WALLET });
  await rig.depositFor(sell, sell.amountMinor);
  assert.equal(await endOf(sell), 'limit_day');
  assert.deepEqual(await rig.bank.paidOut(sell.id), []);
});

test('threat 49: two processes cannot exceed a limit together', async () => {
  const businessId = await limitedBusiness('biz_race', { perDayMinor: 3_000_000n });
  await pause(true);
  const buys = [await paidBuy({ businessId }), await paidBuy({ businessId })];
  const sell = await rig.sell({ businessId, wallet: POLYGON_WALLET, amountMinor: 2_000_000n });
  await rig.depositFor(sell, sell.amountMinor);
  for (const { id } of buys) await rig.until(id, 'paid');
  await rig.until(sell.id, 'deposited');
  rig.pass(16_000);
  const held = await rig.deps.store.leaseTransactions(['paid'], makeLeaseRequest(rig.deps, 50));
  const deposited = await rig.deps.store.leaseTransactions(['deposited'], makeLeaseRequest(rig.deps, 50));
  await pause(false);
  const processes = [rig.another(), rig.another(), rig.another()];
  for (const each of processes) await each.run();
  const [first, second] = buys.map(({ id }) => held.find((each) => each.id === id)!);
  await Promise.all([
    sendTokens(processes[0]!.deps, [first!]),
    sendTokens(processes[1]!.deps, [second!]),
    payOut(processes[2]!.deps, deposited),
  ]);
  const ends = await Promise.all([...buys, sell].map(async ({ id }) => (await rig.find(id)).state));
  assert.equal(ends.filter((state) => state !== 'on_hold').length, 1, `${ends}`);
  const [used] = await rig.rows<{ used: string }>(
    `select max(used_minor)::text as used from limit_usage where business_id = $1`,
    businessId,
  );
  assert.equal(used!.used, '2000000');
});

test('a transaction is held before anything leaves if its name, account or wallet is on a screening list', async () => {
  const buy = await paidBuy();
  rig.pass(16_000);
  const hit = {
    kind: 'account',
    value: buy.accountNumber,
    entry: buy.accountNumber,
    reason: 'court order',
  } as const;
  const screened: unknown[] = [];
  const careful = rig.another({
    screening: {
      screen: async (subjects) => {
        screened.push(...subjects.map(({ kind }) => kind));
        return [hit];
      },
    },
  });
  await careful.run();
  const held = await rig.find(buy.id);
  assert.deepEqual([held.state, held.exception], ['on_hold', 'screening_hit']);
  assert.deepEqual(
    screened,
    ['account', 'wallet', 'name', 'account'],
    'the claim’s, then whom the bank named',
  );
  assert.deepEqual((await rig.deps.store.timeline(buy.id)).at(-1)!.evidence, { hits: [hit] });
  assert.deepEqual(await rig.deps.store.movementsOf([buy.id]), []);
  rig.pass(16_000);
});

test('a refund to a person on the sanctions list waits for review, and its money stays owed', async () => {
  const listed = (value: string) => ({
    screening: {
      screen: async (subjects: readonly ScreeningSubject[]) =>
        subjects
          .filter((subject) => subject.value === value)
          .map((subject) => ({ ...subject, entry: value, reason: 'court order' })),
    },
  });
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, sell.amountMinor + 10_000n);
  const careful = rig.another(listed(POLYGON_WALLET.address));
  for (let turn = 0; turn < 20; turn++) {
    await careful.run();
    rig.pass(500);
  }
  const refund = (await rig.deps.store.movementsOf([sell.id])).find(({ kind }) => kind === 'refund')!;
  assert.deepEqual([refund.state, refund.reason, refund.attempts], ['failed', 'screening_hit', 0]);
  assert.equal((await rig.books(sell.id))['NGNC@Polygon refunds_due'], -100_000_000n);
  const { refunds } = await makeReviewStore(rig.database).listQueue(10, 'test');
  assert.ok(refunds.some(({ id }) => id === refund.id));
  rig.pass(16_000);
});

test('threat 49: while movements are paused nothing is sent, paid out or refunded; afterwards everything continues', async () => {
  await pause(true);
  const buy = await paidBuy();
  const over = await paidBuy({ amountMinor: 1_999_999n });
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, sell.amountMinor + 5n);
  await rig.passing(5_000);
  const states = await Promise.all([buy, over, sell].map(async ({ id }) => (await rig.find(id)).state));
  assert.deepEqual(states, ['paid', 'paid', 'deposited'], 'what comes in is seen and matched all the same');
  const [attempts] = await rig.rows(
    `select count(*)::int as n from movement_attempts a join movements m on m.id = a.movement_id where m.transaction_id = any ($1)`,
    [buy.id, over.id, sell.id],
  );
  assert.deepEqual(attempts, { n: 0 });
  await pause(false);
  for (const { id } of [buy, over, sell]) await rig.until(id, 'completed');
  await rig.passing(3_000);
  assert.equal((await rig.find(sell.id)).refundedMinor, 5n);
});

test('if movements are paused during a send, its status is not queried, and nothing is lost', async () => {
  const buy = await paidBuy();
  await rig.until(buy.id, 'confirming');
  await pause(true);
  await rig.passing(3_000);
  assert.equal((await rig.find(buy.id)).state, 'confirming');
  await pause(false);
  await rig.until(buy.id, 'completed');
});

test('a halted asset is not sent until the halt is lifted; other assets are sent', async () => {
  await rig.rows(
    `insert into halts (mode, asset, reason, at) values ('test', 'NGNC@Polygon', 'test', now())`,
  );
  const halted = await paidBuy();
  const stellar = { network: 'Stellar', address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ' };
  assert.equal(await endOf(await paidBuy({ wallet: stellar })), 'completed');
  assert.equal((await rig.find(halted.id)).state, 'paid');
  await rig.rows('delete from halts');
  rig.pass(16_000);
  assert.equal(await endOf(halted), 'completed');
});

test('a held transaction stays held after an excess larger than its amount is refunded, because its own money is still here', async () => {
  const businessId = await limitedBusiness('biz_excess', { perTransactionMinor: 1n });
  const accountNumber = '8222222229';
  const buy = await rig.buy({ businessId, accountNumber, amountMinor: 2_000_000n });
  await rig.payIn({ payerAccount: accountNumber, amountMinor: 5_000_000n });
  const sell = await rig.sell({ businessId, wallet: POLYGON_WALLET });
  await rig.depositFor(sell, 9_000_000n);
  await rig.passing(8_000);
  for (const [{ id }, excess] of [
    [buy, 3_000_000n],
    [sell, 6_500_000n],
  ] as const) {
    const { state, exception, refundedMinor } = await rig.find(id);
    assert.deepEqual([state, exception, refundedMinor], ['on_hold', 'limit_transaction', excess]);
  }
});

test('for a buy, the net amount of tokens is sent, and the fee is earned with the send', async () => {
  const buy = await paidBuy({ feeMinor: 12_345n });
  assert.equal(await endOf(buy), 'completed');
  const [send] = await rig.deps.store.movementsOf([buy.id]);
  assert.deepEqual([send!.nairaMinor, send!.amountMinor], [1_987_655n, 1_987_655n * 10_000n]);
  const books = await rig.books(buy.id);
  assert.deepEqual(
    [books['NGN fees'], books['NGN delivered'], books['NGN owed']],
    [-12_345n, -1_987_655n, undefined],
  );
});

test('for a sell, the net amount is paid out, and the fee is earned once it is paid', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET, feeMinor: 5_000n });
  await rig.depositFor(sell, sell.amountMinor);
  assert.equal(await endOf(sell), 'completed');
  assert.equal((await rig.bank.paidOut(sell.id))[0]!.amountMinor, 2_495_000n);
  const books = await rig.books(sell.id);
  assert.deepEqual(
    [books['NGN fees'], books['NGN payouts_due'], books['NGN bank_reserved']],
    [-5_000n, undefined, undefined],
  );
});

test('no fee is taken from refunds: a late payment and the tokens of a failed payout are returned in full', async () => {
  const late = await rig.buy({
    accountNumber: '8111111111',
    amountMinor: 2_000_007n,
    feeMinor: 12_345n,
    expiresAtMs: rig.now() + 100,
  });
  await rig.until(late.id, 'expired');
  rig.pass(1);
  await rig.payIn({ payerAccount: '8111111111', amountMinor: 2_000_007n });
  assert.equal((await rig.until(late.id, 'refunded')).refundedMinor, 2_000_007n);
  const sell = await rig.sell({ wallet: POLYGON_WALLET, feeMinor: 5_000n });
  rig.meets('pay', '*', 'fails');
  await rig.depositFor(sell, sell.amountMinor);
  assert.equal((await rig.until(sell.id, 'refunded')).refundedMinor, sell.amountMinor);
  for (const { id } of [late, sell]) assert.equal((await rig.books(id))['NGN fees'], undefined);
});

test('if a send is given up, its fee is added to the owed amount again', async () => {
  const buy = await paidBuy({ feeMinor: 12_345n });
  const refusing = rig.another({
    network: () => ({ broadcast: async () => ({ kind: 'rejected', reason: 'no', death: DEATH }) }),
  });
  rig.pass(16_000);
  for (let round = 0; round < 12; round++) {
    await refusing.run();
    rig.pass(5 * 60_000);
  }
  const books = await rig.books(buy.id);
  assert.deepEqual([books['NGN fees'], books['NGN owed']], [undefined, -2_000_000n]);
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
