// Tests how the service queries rails about finished payouts. It queries at growing intervals and in one process at a time, and
// books each change once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReturnedStage } from '../../../../test/support/stages/returned.ts';
import { applySetting } from '../../../adapters/postgres/back-office/setting-writes.ts';
import { makeReviewStore } from '../../../adapters/postgres/review/review-store.ts';
import { transferCharges } from '../../../domain/catalogue/bank-charges.ts';
import type { PayoutStatus } from '../../../ports/rails/rail-payouts.ts';
import { watchEndedPayouts } from './watch-ended-payouts.ts';

const { rig, casesOf, completedSell, payoutsOf, reported, about } = await openReturnedStage();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RETURNED = { kind: 'returned', reason: 'account closed' } as const;
const PAID = { kind: 'paid', sessionId: null, chargeMinor: null } as const;

function saying(status: () => PayoutStatus) {
  const asked: string[] = [];
  const ask = async (reference: string) => {
    asked.push(reference);
    return status();
  };
  return { process: rig.another({ bank: { ask } }), asked };
}
/**
 * Makes the service trust a rail again that paid a payout after refusing it. Otherwise people would have to review the next
 * refusal of the rail.
 */
const trustAgain = () =>
  applySetting(
    rig.database,
    { setting: 'rail_trusted', mode: 'test', rail: 'simulated', reason: 'looked at' },
    { actor: 'test', atMs: rig.now() },
  );
const chargedFor = async (id: string) => (await rig.books(id))['NGN charges'] ?? 0n;
const rowOf = async (movementId: string) =>
  (
    await rig.rows<{ looks: number; said: string | null; after: number }>(
      `select looks, said, extract(epoch from due_at - ended_at)::int as after from ended_payouts where movement_id = $1`,
      movementId,
    )
  )[0];

test('a finished payout is queried after 10 minutes, an hour, and so on up to six days, then never again', async () => {
  const { payout } = await completedSell();
  const { process, asked } = saying(() => PAID);
  const looks: unknown[] = [(await rowOf(payout.id))?.after];
  for (let look = 0; look < 6; look++) {
    rig.pass(look === 0 ? 11 * MINUTE_MS : 0);
    const row = await rowOf(payout.id);
    const [{ due } = { due: 0 }] = await rig.rows<{ due: number }>(
      'select (extract(epoch from due_at) * 1000)::float8 as due from ended_payouts where movement_id = $1',
      payout.id,
    );
    rig.pass(Math.max(0, due - rig.now()) + 1);
    assert.equal(row?.looks, look);
    await watchEndedPayouts(process.deps);
    looks.push((await rowOf(payout.id))?.after);
  }
  assert.deepEqual(looks, [600, 3_600, 21_600, 86_400, 259_200, 518_400, undefined]);
  assert.equal(asked.length, 6);
  assert.deepEqual(await casesOf(payout.id), [], 'paid, as it was known to be');
});

test('only one of several processes makes the query, and checks that were missed while no process ran become one check', async () => {
  const { payout } = await completedSell();
  const [one, two] = [saying(() => PAID), saying(() => PAID)];
  rig.pass(2 * 24 * HOUR_MS);
  await Promise.all([watchEndedPayouts(one.process.deps), watchEndedPayouts(two.process.deps)]);
  assert.equal(one.asked.length + two.asked.length, 1);
  assert.deepEqual(await rowOf(payout.id), { looks: 4, said: 'paid', after: 259_200 });
});

test('if the rail reports a payout as returned and later as paid, each report is booked once', async () => {
  const { sell, payout } = await completedSell();
  let status: PayoutStatus = RETURNED;
  const { process } = saying(() => status);
  rig.pass(11 * MINUTE_MS);
  assert.equal((await watchEndedPayouts(process.deps)).news, 1);
  await rig.until(sell.id, 'on_hold');
  rig.pass(HOUR_MS);
  assert.equal((await watchEndedPayouts(process.deps)).news, 0, 'it says so again');
  status = PAID;
  rig.pass(6 * HOUR_MS);
  assert.equal((await watchEndedPayouts(process.deps)).news, 1);
  await rig.passing(2_000);
  rig.pass(24 * HOUR_MS);
  assert.equal((await watchEndedPayouts(process.deps)).news, 0);
  await rig.passing(2_000);
  assert.deepEqual(
    (await casesOf(payout.id)).map(({ kind }) => kind),
    ['payout_returned', 'payout_paid_late'],
  );
});

test('if the statement shows a returned payout and the rail still reports it as paid, no second payment is booked', async () => {
  const { payout } = await completedSell();
  await reported(about('payout_returned', payout));
  const { process } = saying(() => PAID);
  rig.pass(2 * HOUR_MS);
  assert.equal((await watchEndedPayouts(process.deps)).news, 0);
  await rig.passing(2_000);
  assert.deepEqual(
    (await casesOf(payout.id)).map(({ kind }) => kind),
    ['payout_returned'],
  );
});

test('a refused payout that is paid later is noticed; a payout that stays refused causes no notice', async () => {
  rig.meets('pay', '*', 'fails');
  const sell = await rig.sell({
    wallet: { network: 'Polygon', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  });
  await rig.depositFor(sell, sell.amountMinor);
  await rig.until(sell.id, 'refunded');
  const [failed] = await payoutsOf(sell);
  rig.pass(11 * MINUTE_MS);
  const refusing = saying(() => ({ kind: 'failed', reason: 'not permitted', fault: 'payout' }));
  assert.equal((await watchEndedPayouts(refusing.process.deps)).news, 0);
  rig.pass(HOUR_MS);
  const paying = saying(() => PAID);
  assert.equal(await chargedFor(sell.id), 0n, 'what was refused was not charged');
  assert.equal((await watchEndedPayouts(paying.process.deps)).news, 1);
  await rig.passing(2_000);
  const { feeMinor, vatMinor, stampDutyMinor } = transferCharges(
    rig.deps.bankCharges,
    sell.amountMinor - sell.feeMinor,
    rig.now(),
  );
  assert.ok(feeMinor > 0n);
  assert.equal(await chargedFor(sell.id), feeMinor + vatMinor + stampDutyMinor, 'by the table');
  assert.deepEqual(
    (await casesOf(failed!.id)).map(({ kind }) => kind),
    ['payout_paid_late'],
  );
  assert.equal(await trustAgain(), 'done');
});

test('the reported charge for a late payout is booked; for a returned payout no second charge is booked', async () => {
  rig.meets('pay', '*', 'fails');
  const sell = await rig.sell({
    wallet: { network: 'Polygon', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  });
  await rig.depositFor(sell, sell.amountMinor);
  await rig.until(sell.id, 'refunded');
  rig.pass(11 * MINUTE_MS);
  const paying = saying(() => ({ ...PAID, chargeMinor: 12_34n }));
  assert.equal((await watchEndedPayouts(paying.process.deps)).news, 1);
  await rig.passing(2_000);
  assert.equal(await chargedFor(sell.id), 12_34n);
  const { sell: returned, payout } = await completedSell();
  const before = await chargedFor(returned.id);
  assert.ok(before > 0n);
  await reported(about('payout_returned', payout));
  await reported(about('payout_paid_late', payout));
  assert.deepEqual(
    (await casesOf(payout.id)).map(({ kind }) => kind),
    ['payout_returned', 'payout_paid_late'],
  );
  assert.equal(await chargedFor(returned.id), before, 'not a second time');
});

test('a payout whose outcome is unknown for a day is shown with its attempts, and is not paid again', async () => {
  const desk = makeReviewStore(rig.database);
  const unsure = rig.another({
    bank: {
      pay: async () => ({ kind: 'unknown', reason: 'no answer' }),
      ask: async () => ({ kind: 'unknown', reason: 'no answer' }),
    },
  });
  const sell = await rig.sell();
  await rig.depositFor(sell, sell.amountMinor);
  for (let turn = 0; turn < 20; turn++) {
    await unsure.run();
    rig.pass(2_000);
  }
  assert.deepEqual(
    (await payoutsOf(sell)).map(({ state }) => state),
    ['unknown'],
  );
  assert.deepEqual(await desk.unknownPayouts(rig.now(), 10, 'test'), []);
  const shown = await desk.unknownPayouts(rig.now() + 24 * HOUR_MS, 10);
  assert.deepEqual(
    shown.map(({ transactionId, tried }) => [
      transactionId,
      tried.map(({ no, rail, state }) => [no, rail, state]),
    ]),
    [[sell.id, [[1, 'simulated', 'unknown']]]],
  );
  assert.deepEqual(await desk.unknownPayouts(rig.now() + 24 * HOUR_MS, 10, 'live'), []);
});
