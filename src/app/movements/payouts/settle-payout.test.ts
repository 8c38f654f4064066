// Tests what the service books after a rail has paid: the charge that the rail reports, or otherwise the charge in the table
// for the day of the order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempt, movement } from '../../../../test/http/settlement-fixtures.ts';
import type { BankCharges } from '../../../domain/catalogue/bank-charges.ts';
import type { LiveAttempt } from '../../../domain/movements/steps.ts';
import type { PayoutStatus } from '../../../domain/rails/payout-outcome.ts';
import { SIMULATED_TERMS } from '../../../domain/rails/terms.ts';
import type { PayingRail } from '../../../ports/rails/rail.ts';
import type { SettlementDeps } from '../../engine/deps.ts';
import { settlePayout } from './settle-payout.ts';

const rule = (fromDay: string, feeMinor: bigint) => ({
  ...{ fromDay, bands: [{ upToMinor: null, feeMinor }], vatBps: 750 },
  stampDuty: { fromMinor: 1_000_000n, dutyMinor: 5_000n, paidBy: 'sender' as const },
});
const CHARGES: BankCharges = [rule('2026-01-01', 5_000n), rule('2026-11-15', 9_000n)];
/** The last minute of the old table and the first minute of the new table, in Lagos time. */
const [LAST, NEXT] = ['2026-11-14T22:59:00Z', '2026-11-14T23:00:00Z'].map((text) => Date.parse(text)) as [
  number,
  number,
];
const deps = {
  ...{ bankCharges: CHARGES, clock: { now: () => NEXT + 60_000 }, onTrouble: assert.fail },
  entropy: { bytes: (count: number) => new Uint8Array(count) },
} as unknown as SettlementDeps;

async function charged(orderedAtMs: number, status: PayoutStatus) {
  const of = movement({ kind: 'refund', network: null, asset: 'NGN', amountMinor: 1_500_050n });
  const given = attempt(of, { state: 'accepted', atMs: orderedAtMs });
  const alive: LiveAttempt = { movement: of, attempt: given, transaction: null };
  const rail = { terms: SIMULATED_TERMS } as PayingRail;
  const answer = { rail, status, called: 'asked', beganMs: deps.clock.now() } as const;
  const { change } = await settlePayout(deps, alive, answer);
  const charges = change.entries!.filter(({ event }) => event.endsWith('_charged'));
  const booked = charges.map(({ event, postings }) => [
    event,
    postings.find(({ amountMinor }) => amountMinor > 0n)!.amountMinor,
  ]);
  return { booked: Object.fromEntries(booked), notices: change.newNotices ?? [] };
}

const UNSAID: PayoutStatus = { kind: 'paid', sessionId: null, chargeMinor: null };

test('if a rail reports no charge, the charge comes from the table of the day on which the rail got the order', async () => {
  const duty = { stamp_duty_charged: 5_000n };
  assert.deepEqual((await charged(LAST, UNSAID)).booked, {
    bank_charged: 5_000n,
    vat_charged: 375n,
    ...duty,
  });
  assert.deepEqual((await charged(NEXT, UNSAID)).booked, {
    bank_charged: 9_000n,
    vat_charged: 675n,
    ...duty,
  });
});

test('a charge that the rail reports is used, even if it is zero', async () => {
  assert.deepEqual((await charged(LAST, { ...UNSAID, chargeMinor: 1_234n })).booked, {
    bank_charged: 1_234n,
  });
  assert.deepEqual((await charged(LAST, { ...UNSAID, chargeMinor: 0n })).booked, {});
});

test('a returned payout is first booked as paid and charged, and a notice reports its return', async () => {
  const { booked, notices } = await charged(LAST, { kind: 'returned', reason: 'account closed' });
  assert.equal(booked.bank_charged, 5_000n);
  assert.deepEqual(
    notices.map(({ kind, amountMinor }) => [kind, amountMinor]),
    [['payout_returned', 1_500_050n]],
  );
});
