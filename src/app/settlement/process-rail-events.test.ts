// Tests how the service processes stored rail events: failures between the steps, reversals, and events about payouts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEventStage } from '../../../test/support/rails/event-stage.ts';
import { callLeaseMs } from '../../domain/rails/terms.ts';
import { countReversal } from '../../domain/review/question-cases.ts';
import type { EventSendingRail } from '../../ports/rails/rail.ts';
import type { RailEventVerdict } from '../../ports/rails/rail-events.ts';
import { StoreUnavailable } from '../../ports/store/store.ts';
import { receiveRailEvent } from '../rails/receive-rail-event.ts';
import { processRailEvents } from './process-rail-events.ts';

const stage = await openEventStage();
const { rig, banks, queue } = stage;
const LEASE_MS = 15_000;
const last = async (name: string) => (await stage.events(name)).at(-1)!;

function answering(rail: EventSendingRail, ...answers: readonly RailEventVerdict[]): EventSendingRail {
  const waiting = [...answers];
  const verify = async (about: string) => waiting.shift() ?? rail.events.verify(about);
  return { ...rail, events: { ...rail.events, verify } };
}

test('an event waits if it arrives before the rail has the transfer or if the call to the rail fails, and it is not lost', async () => {
  const { creditId } = await stage.payIn('paystack', '21000.00');
  const answers: readonly RailEventVerdict[] = [
    { kind: 'not_found' },
    { kind: 'not_yet', why: 'not settled' },
    { kind: 'unknown', why: 'no answer' },
  ];
  const process = stage.eventsOnly(answering(stage.railOf('paystack'), ...answers));
  const seen: string[] = [];
  for (let look = 0; look < 4; look++) {
    await process.run();
    const { state, looks } = await last('paystack');
    seen.push(`${state} ${looks}`);
    rig.pass(30_000);
  }
  assert.deepEqual(seen, ['open 1', 'open 2', 'open 2', 'done 2'], 'a failed call is no answer');
  assert.deepEqual(
    (await stage.credits('paystack')).map(({ source_id }) => source_id),
    [`${creditId}`],
  );
});

test('while the calls to the rail fail, an event stays open without a limit', async () => {
  await stage.payIn('monnify', '21000.00');
  const process = stage.eventsOnly();
  for (let look = 0; look < 40; look++) {
    banks.setFault({ kind: 'error-503', rail: 'monnify', operation: 'credits' });
    await process.run();
    rig.pass(400_000);
  }
  assert.deepEqual((({ state, looks }) => [state, looks])(await last('monnify')), ['open', 0]);
  banks.clearFaults();
  await process.run();
  assert.equal((await last('monnify')).state, 'done');
  assert.equal((await stage.credits('monnify')).length, 1);
});

test('if a process dies while it leases an event or after it stored the credit, the next process continues, and there is one credit', async () => {
  const known = (await stage.credits('paystack')).length;
  await stage.payIn('paystack', '22000.00');
  const of = { mode: 'test', rail: 'paystack-local' } as const;
  assert.equal((await queue.lease(of, { atMs: rig.now(), leaseMs: LEASE_MS, limit: 10 })).length, 1);
  await stage.eventsOnly().run();
  assert.equal((await stage.credits('paystack')).length, known, 'another holds it');
  rig.pass(LEASE_MS);
  const dying = stage.eventsOnly();
  await dying.run().catch(() => undefined);
  await rig.rows(
    `update rail_events set state = 'open', due_at = $1 where rail = $2`,
    new Date(rig.now()),
    of.rail,
  );
  const move = async () => Promise.reject(new Error('killed'));
  await stage.payIn('paystack', '22001.00');
  const deps = { ...dying.deps, railEvents: { ...queue, move } };
  await assert.rejects(processRailEvents(deps, 'test', stage.railOf('paystack')), /killed/);
  assert.equal(
    (await stage.credits('paystack')).length,
    known + 2,
    'the credit is stored, the event is open',
  );
  assert.equal((await last('paystack')).state, 'open');
  rig.pass(callLeaseMs(stage.railOf('paystack').terms));
  await stage.eventsOnly().run();
  assert.deepEqual(
    [(await last('paystack')).state, (await stage.credits('paystack')).length],
    ['done', known + 2],
  );
});

test('while the catalogue may be out of date no event is leased, so the next run can process it without waiting for a lease to end', async () => {
  await stage.payIn('paystack', '22500.00');
  const stale = () => {
    throw new StoreUnavailable('the catalogue may be out of date', { mayHaveActed: false });
  };
  const process = stage.eventsOnly();
  const deps = { ...process.deps, railEvents: queue, catalogue: stale };
  await assert.rejects(processRailEvents(deps, 'test', stage.railOf('paystack')), StoreUnavailable);
  await process.run();
  assert.equal((await last('paystack')).state, 'done');
});

test('an event that could not be stored is not acknowledged, so that the rail sends it again', async () => {
  const text = JSON.stringify({ event: 'charge.success', data: { reference: 'x' } });
  const message = { body: Buffer.from(text), headers: stage.headersOf('paystack', text), address: '::1' };
  const away = async () => {
    throw new StoreUnavailable('the database is away', { mayHaveActed: false });
  };
  const deps = { ...stage.deps, railEvents: { store: away } };
  await assert.rejects(receiveRailEvent(deps, 'paystack', message), StoreUnavailable);
});

const stateOf = async (name: string, sourceId: string) =>
  (await stage.credits(name)).find((each) => each.source_id === sourceId)?.state;

test('a credit is reversed only if a query to the rail confirms it', async () => {
  const paid = await stage.payIn('paystack', '23000.00');
  const collected = await stage.payIn('monnify', '23000.00');
  await stage.eventsOnly().run();
  const dispute = (no: number) => ({
    event: 'charge.dispute.create',
    data: { id: no, refund_amount: 2_300_000, transaction: { reference: paid.reference } },
  });
  const { reference: transactionReference } = collected;
  const refund = (no: number) => ({
    eventType: 'SUCCESSFUL_REFUND',
    eventData: { transactionReference, no },
  });
  await stage.send('paystack', dispute(1));
  await stage.send('monnify', refund(1));
  await stage.eventsOnly().run();
  assert.deepEqual(await rig.rows('select id from bank_notices'), [], 'the rails still have them');
  assert.equal(await stateOf('paystack', `${paid.creditId}`), 'unmatched');
  await banks.takeBack({ rail: 'paystack', creditId: paid.creditId });
  await banks.takeBack({ rail: 'monnify', creditId: collected.creditId });
  for (const no of [2, 3]) {
    await stage.send('paystack', dispute(no));
    await stage.send('monnify', refund(no));
  }
  await stage.eventsOnly().run();
  assert.equal(await stateOf('paystack', `${paid.creditId}`), 'reversed');
  assert.equal(await stateOf('monnify', transactionReference), 'reversed');
  const notices = await rig.rows('select kind, state from bank_notices');
  assert.deepEqual(
    notices.map(({ kind, state }) => `${kind} ${state}`),
    ['credit_reversed done', 'credit_reversed done'],
  );
});

test('if the amounts of a rail differ, the credit is the paid amount, not the due or the settled amount', async () => {
  const payer = { accountNumber: '0123456785', name: 'ADAEZE OKAFOR', bankCode: '058' };
  for (const name of ['monnify', 'paystack'] as const) {
    const paid = await banks.payIn({
      ...{ rail: name, accountNumber: stage.vendor[name], amount: '26000.00', due: '25000.00', fee: '50.00' },
      ...{ narration: 'too much', payer },
    });
    await stage.eventsOnly().run();
    const sourceId = name === 'monnify' ? paid.reference : `${paid.creditId}`;
    const [credit] = (await stage.credits(name)).filter((each) => each.source_id === sourceId);
    assert.equal(credit?.amount, '2600000', name);
  }
});

async function askForHours(process: ReturnType<typeof stage.eventsOnly>): Promise<void> {
  for (let look = 0; look < 30; look++) {
    await process.run();
    rig.pass(400_000);
  }
}

const casesAbout = (creditId: string) =>
  rig.rows<{ id: string; kind: string; amount: string; outcome: string | null }>(
    'select id, kind, amount_minor::text as amount, outcome from cases where credit_id = $1 order by id',
    creditId,
  );

test('threat 99: if a bank no longer finds a settled credit, the credit is not reversed: a case is opened, and nothing is booked', async () => {
  const { settlementId, creditId } = await stage.payIn('providus', '24000.00');
  const collected = await stage.payIn('monnify', '24000.00');
  await stage.eventsOnly().run();
  assert.equal(await stateOf('providus', settlementId), 'unmatched');
  await banks.takeBack({ rail: 'providus', creditId });
  await stage.send('providus', { settlementId, again: true });
  const { reference: transactionReference } = collected;
  await stage.send('monnify', { eventType: 'SUCCESSFUL_TRANSACTION', eventData: { transactionReference } });
  const lost = answering(
    stage.railOf('monnify'),
    ...Array.from({ length: 30 }, () => ({ kind: 'not_found' }) as const),
  );
  await askForHours(stage.eventsOnly(stage.railOf('providus'), lost));
  for (const [name, sourceId] of [
    ['providus', settlementId],
    ['monnify', transactionReference],
  ] as const) {
    assert.equal((await last(name)).outcome, 'a case was opened: the rail no longer finds the credit');
    assert.equal(await stateOf(name, sourceId), 'review', 'it waits for its buy, as it would have');
    const credit = (await rig.deps.store.findCredit('test', `${name}-local`, sourceId))!;
    const cases = await casesAbout(credit.id);
    assert.deepEqual(
      cases.map(({ kind, amount, outcome }) => [kind, amount, outcome]),
      [['credit_not_found', '2400000', null]],
    );
  }
  const about = [settlementId, transactionReference];
  assert.deepEqual(await rig.rows('select id from bank_notices where about = any ($1)', about), []);

  await stage.send('providus', { settlementId, again: 'and again' });
  await askForHours(stage.eventsOnly());
  assert.equal((await last('providus')).state, 'review');
  const credit = (await rig.deps.store.findCredit('test', 'providus-local', settlementId))!;
  const [found] = await casesAbout(credit.id);
  assert.equal((await casesAbout(credit.id)).length, 1);

  // Two people know from the statement that the credit was reversed, so the service handles it like any other reversal.
  const by = { actor: 'per_1', atMs: rig.now(), newNoticeId: 'ntc_00000000000000000000000001' };
  const counted = countReversal(
    {
      ...{ id: found!.id, kind: 'credit_not_found', mode: 'test', businessId: null, transactionId: null },
      ...{ creditId: credit.id, about: credit.id, amountMinor: credit.amountMinor },
    },
    credit,
    by,
  );
  assert.ok(counted.ok);
  const [outcome] = await rig.deps.store.commit([counted.value.change]);
  assert.equal(outcome?.kind, 'committed');
  await stage.eventsOnly().run();
  assert.equal(await stateOf('providus', settlementId), 'reversed');
  assert.equal((await casesAbout(credit.id))[0]!.outcome, 'counted');
});
