// Tests the guard of payouts with local banks and a real database. A rail whose list has only the service's payouts continues.
// The first unknown payment stops its rail, and only people resume the rail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEventStage } from '../../../test/support/rails/event-stage.ts';
import { openRailRig } from '../../../test/support/rails/rail-rig.ts';
import { putStatement } from '../../../test/support/reconciliation/statement-rows.ts';
import { applySetting, readSettingBefore } from '../../adapters/postgres/back-office/setting-writes.ts';
import { makeEventQueue } from '../../adapters/postgres/rails/event-queue.ts';
import { makePayoutGuard } from '../../adapters/postgres/rails/payout-guard.ts';
import { makeRailStore } from '../../adapters/postgres/rails/rail-store.ts';
import { makeReconciliationStore } from '../../adapters/postgres/reconciliation/reconciliation-store.ts';
import { makeBanks } from '../../adapters/rails/registry.ts';
import { lagosDay } from '../../domain/values/calendar.ts';
import { listRailAttention } from '../operations/rail-attention.ts';
import { checkRail, listRailsToCheck, registerRails } from './check-rails.ts';
import { guardRail, listGuardedRails } from './guard-payouts.ts';
import { readRails } from './read-rails.ts';

type Name = Parameters<Awaited<ReturnType<typeof openEventStage>>['railOf']>[0];

const stage = await openEventStage();
const { banks } = stage;
const rig = await openRailRig(stage.rig);
const clock = { now: rig.now };
const railDesk = makeRailStore(rig.database);
const payoutGuard = makePayoutGuard(rig.database);
const bankRails = makeBanks({ live: [], test: stage.rails });
const unread: string[] = [];
const deps = {
  ...{ payoutGuard, reconciliation: makeReconciliationStore(rig.database), clock },
  onUnread: ({ rail, why }: { readonly rail: string; readonly why: string }) =>
    void unread.push(`${rail}: ${why}`),
};
const reading = {
  railDesk,
  store: rig.deps.store,
  clock,
  bankRails,
  railEvents: makeEventQueue(rig.database),
};
const desk = { banks: bankRails, railDesk, clock };
await rig.fund(stage.rails.map((rail) => ({ rail }) as never));
await registerRails(desk);

const guardAll = async () =>
  (await Promise.all(listGuardedRails(bankRails).map((each) => guardRail(deps, each)))).flatMap(
    (each) => each ?? [],
  );
const MINUTE = 60_000;
const guard = async () => {
  rig.pass(4 * MINUTE);
  await registerRails(desk);
  return guardAll();
};
const readOf = async (name: Name) => (await readRails(reading)).find(({ rail }) => rail === `${name}-local`)!;
const stopsIn = async () => {
  const found = await guard();
  return found.flatMap(({ rail, found: payments }) => payments.map(({ doubt }) => `${rail} ${doubt}`));
};
const doing = { actor: 'per_1', atMs: rig.now() };
const resume = (name: Name) =>
  applySetting(
    rig.database,
    { setting: 'rail_resumed', mode: 'test', rail: `${name}-local`, reason: 'the bank has explained it' },
    { ...doing, atMs: rig.now() },
  );

async function payOn(name: Name) {
  const sell = await rig.depositedSell();
  banks.setAccount({ number: sell.accountNumber, name: sell.accountName! });
  const process = rig.another({ rails: () => [stage.railOf(name)] });
  await process.run();
  for (let look = 0; look < 20 && (await rig.payoutOf(sell)).movement.state !== 'done'; look++) {
    rig.pass(20_000);
    await process.run();
  }
  const { movement, attempts } = await rig.payoutOf(sell);
  assert.equal(movement.state, 'done', `${name}: ${JSON.stringify(attempts)}`);
  return { sell, movement, reference: attempts.at(-1)!.reference };
}

// The guard does not compare payments from before the first comparison.
await guardAll();

test('lists that contain only our payouts pause no rail, and the position advances', async () => {
  const before = (await readOf('paystack')).guard!.comparedToMs;
  await payOn('paystack');
  await payOn('monnify');
  assert.deepEqual(await stopsIn(), []);
  assert.ok((await readOf('paystack')).guard!.comparedToMs > before);
  assert.equal((await readOf('monnify')).state, 'in_use');
  assert.deepEqual(unread, []);
});

test('a bank that pays an order twice is paused; only people can resume it, and the same payment does not pause it again', async () => {
  for (const name of ['paystack', 'monnify'] as const) {
    rig.pass(3 * MINUTE);
    banks.setFault({ kind: 'paid-twice', rail: name });
    const { reference } = await payOn(name);
    assert.equal(banks.books()[name].payouts.filter((each) => each.reference === reference).length, 2);
    assert.deepEqual(await stopsIn(), [`${name}-local paid_twice`]);
    const { state, guard: found, pauses } = await readOf(name);
    assert.equal(state, 'paused_by_guard');
    assert.deepEqual(
      found!.unexplained.map((each) => each.reference),
      [reference],
    );
    assert.match(pauses[0]!.reason, new RegExp(`under ${reference}: another payment has the same reference`));
    const lines = (await listRailAttention(reading, 'test')).filter(({ kind }) => kind === 'rail_guard');
    assert.deepEqual(
      lines.map(({ severity, title }) => [severity, title]),
      [['critical', `The rail ${name}-local has made unexplained payments`]],
    );
    // The rail is healthy and responds, but that does not end a pause by the guard.
    for (let probe = 0; probe < 10; probe++) {
      rig.pass(10 * MINUTE);
      await registerRails(desk);
      for (const each of listRailsToCheck(bankRails)) assert.equal(await checkRail(desk, each), null);
    }
    assert.equal((await readOf(name)).state, 'paused_by_guard');
    assert.equal(await resume(name), 'done');
    assert.deepEqual(await stopsIn(), []);
    const after = await readOf(name);
    assert.deepEqual([after.state, after.guard!.unexplained], ['in_use', []]);
  }
  assert.deepEqual(
    await rig.rows(
      `select subject, action, count(*)::int as count from audit_log where action like 'rail.%' group by 1, 2 order by 1, 2`,
    ),
    ['monnify', 'paystack'].flatMap((name) =>
      ['rail.paused', 'rail.resumed'].map((action) => ({
        subject: `rail test ${name}-local`,
        action,
        count: 1,
      })),
    ),
  );
});

async function orderAtPaystack(reference: string) {
  const { url, credentials } = banks.paystack;
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${credentials.secretKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { readonly data: { readonly recipient_code: string } };
  };
  const { data } = await call('/transferrecipient', {
    ...{ type: 'nuban', name: 'A THIEF', account_number: '0123456777', bank_code: '058', currency: 'NGN' },
  });
  await call('/transfer', {
    ...{ source: 'balance', amount: 700_000, recipient: data.recipient_code, reference, reason: 'salary' },
  });
}

test('threat 110: a payment that we did not order pauses the rail, and a second one makes the proposal to resume stale', async () => {
  await orderAtPaystack('salary-0000000001');
  assert.deepEqual(await stopsIn(), ['paystack-local not_ours']);
  const request = { setting: 'rail_resumed', mode: 'test', rail: 'paystack-local', reason: 'known' } as const;
  const seen = await readSettingBefore(rig.database, request);
  await orderAtPaystack('salary-0000000002');
  assert.deepEqual(await stopsIn(), ['paystack-local not_ours']);
  assert.notEqual(
    await readSettingBefore(rig.database, request),
    seen,
    'who proposed it had not seen the second',
  );
  await resume('paystack');
});

test('a list that lags or cannot be read hides no payment for long: the position waits, and late payments are found', async () => {
  const { comparedToMs } = (await readOf('paystack')).guard!;
  banks.setFault({ kind: 'error-503', rail: 'paystack', operation: 'payouts', times: 2 });
  await orderAtPaystack('salary-0000000003');
  assert.deepEqual(await stopsIn(), []);
  assert.match(unread.at(-1)!, /^paystack-local: Paystack did not list the transfers/);
  assert.deepEqual(
    (({ comparedToMs: to, failure }) => [to, failure !== null])((await readOf('paystack')).guard!),
    [comparedToMs, true],
  );
  const at = rig.now();
  await guardAll();
  assert.equal(
    (await readOf('paystack')).guard!.failingSinceMs,
    at,
    'not due yet, and since the first failure',
  );
  rig.pass(40 * MINUTE);
  await guardAll();
  await registerRails(desk);
  const titles = (await listRailAttention(reading, 'test')).map(({ title }) => title);
  assert.ok(titles.includes('The payments of the rail paystack-local are not compared with our payouts'));
  banks.setFault({ kind: 'list-lags', rail: 'paystack', seconds: 3_600 });
  assert.deepEqual(await stopsIn(), []);
  assert.equal((await readOf('paystack')).guard!.failure, null);
  assert.deepEqual(await stopsIn(), ['paystack-local not_ours']);
  await resume('paystack');
});

test('only one of several processes compares, and findings of a process that lost its lease are not written', async () => {
  rig.pass(4 * MINUTE);
  const of = { mode: 'test', rail: 'paystack-local' } as const;
  const old = (await payoutGuard.lease(of, null, rig.now(), MINUTE))!;
  assert.equal(await payoutGuard.lease(of, null, rig.now(), MINUTE), undefined);
  rig.pass(MINUTE);
  const next = (await payoutGuard.lease(of, null, rig.now(), MINUTE))!;
  const found = {
    ...{ ...of, ...old, atMs: rig.now(), dueAtMs: rig.now(), firsts: [], pause: 'x', failure: null },
    unexplained: [{ payment: '1', reference: null, amountMinor: 1n, doubt: 'not_ours', atMs: 0 }],
  } as const;
  assert.equal(await payoutGuard.save(found), undefined);
  assert.deepEqual(await payoutGuard.save({ ...found, ...next, unexplained: [] }), []);
  assert.equal((await readOf('paystack')).state, 'in_use');
});

test('a bank without a payout list is compared by its account statement: a row without a payout pauses the rail', async () => {
  const { account } = await readOf('providus');
  const { movement, reference } = await payOn('providus');
  const day = lagosDay(rig.now());
  const of = { mode: 'test', account: account!, day } as const;
  const row = { amountMinor: -movement.nairaMinor, narration: `NIP TRF TO X/${reference}`, reference };
  await putStatement(rig.database, of, { openingMinor: 0n, closingMinor: -movement.nairaMinor }, [row]);
  assert.deepEqual(await stopsIn(), []);
  const both = [row, { ...row, narration: `NIP TRF TO X/AGAIN/${reference}` }];
  await putStatement(rig.database, of, { openingMinor: 0n, closingMinor: -2n * movement.nairaMinor }, both);
  assert.deepEqual(await stopsIn(), ['providus-local on_statement']);
  assert.equal((await readOf('providus')).state, 'paused_by_guard');
  await resume('providus');
  assert.deepEqual(await stopsIn(), []);
});

test('after a rail pays a payout that it had refused, it is listed as critical until people trust it again', async () => {
  const lines = async () =>
    (await listRailAttention(reading, 'test')).filter(({ title }) => title.includes('that it had refused'));
  assert.deepEqual(await lines(), []);
  const insert = `insert into rail_doubts (mode, rail, movement_id, since) values ('test', 'paystack-local', 'mov_x', to_timestamp(7))`;
  await rig.database.query({ text: insert });
  const [line, ...more] = await lines();
  assert.deepEqual(more, []);
  assert.equal(line!.title, 'The rail paystack-local paid a payout that it had refused');
  assert.deepEqual([line!.severity, line!.sinceMs], ['critical', 7_000]);
  assert.match(
    line!.what,
    /mov_x\..*then trust it again: sliproad rails trust paystack-local --mode test --reason/,
  );
  await rig.database.query({ text: `delete from rail_doubts where rail = 'paystack-local'` });
  assert.deepEqual(await lines(), []);
});
