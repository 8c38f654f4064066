// Tests the rails of a mode, and the routing table and caps, which one person changes in test mode and two people in live mode.
// It also tests payouts with their attempts, and our bank accounts with the bookings that people make.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCustomer, sell } from '../../e2e/calls.ts';
import { settled } from '../../e2e/settled.ts';
import { startTestService } from '../../support/service.ts';
import { addConsolePerson, signedIn } from './browser.ts';

const service = await startTestService({ TRUST_PROXY: 'loopback', SANDBOX_PACE_MS: '40' });
const { foundation } = service;
const AT = '/console/v1/operator';
const reviewer = await addConsolePerson(service, { operator: 'reviewer' });
const browser = await signedIn(service, reviewer);
const auditor = await signedIn(service, await addConsolePerson(service, { operator: 'auditor' }));
const read = async (path: string) => (await browser.send('GET', `${AT}${path}`)).body;
const change = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  browser.send(method, `${AT}${path}`, body === undefined ? {} : { body });

const LIVE = { mode: 'live', rail: 'first', account: '058:0123456789', place: 0 } as const;
await foundation.railDesk.register([LIVE], foundation.clock.now());

/** Waits for the rail, because the service stores the names of its rails soon after its start. */
async function railOf(mode: string, name: string) {
  for (;;) {
    const { rails } = await read(`/rails/${mode}`);
    const found = rails.find((each: { rail: string }) => each.rail === name);
    if (found !== undefined) return found;
  }
}

test('a rail is shown with its state, its naira balance in the ledger, and its cap', async () => {
  const { freeMinor } = (await foundation.reviewDesk.bankBooks('test')).find(
    ({ name }) => name === 'bank_out',
  )!;
  const rail = await railOf('test', 'simulated');
  assert.deepEqual(
    [rail.state, rail.account, rail.pauses, rail.cap, rail.books.free.replace('.', '')],
    ['in_use', null, [], null, String(freeMinor)],
  );
  const live = await railOf('live', 'first');
  assert.deepEqual([live.account.number, live.books.balance, live.said], ['0123456789', '0.00', null]);
  assert.equal((await browser.send('GET', `${AT}/rails/both`)).status, 404);
});

test('threat 83: one person can pause a rail at once; in live mode a second person is needed to resume it', async () => {
  const reason = 'the bank is in maintenance';
  const paused = await change('POST', '/rails/live/first/pause', { reason });
  assert.deepEqual([paused.body.done, paused.body.proposal], [true, null], paused.text);
  const [pause] = (await railOf('live', 'first')).pauses;
  assert.deepEqual([pause.by_health, pause.actor, pause.reason], [false, reviewer.id, reason]);
  assert.ok(pause.name.startsWith('Person'));
  const attention = (await read('/attention?mode=live')).attention as {
    kind: string;
    page: string;
    what: string;
  }[];
  const line = attention.find(({ kind }) => kind === 'rail');
  assert.deepEqual([line?.page, line?.what], ['rails', reason]);
  const resumed = await change('POST', '/rails/live/first/resume', { reason: 'it is over' });
  assert.equal(resumed.body.done, false, resumed.text);
  const { proposals, needs_two: needsTwo } = await read('/rails/live');
  assert.deepEqual(
    [needsTwo, proposals.length, proposals[0].setting, proposals[0].rail, proposals[0].proposal_id],
    [true, 1, 'rail_resumed', 'first', resumed.body.proposal.id],
  );
  assert.equal((await railOf('live', 'first')).state, 'paused_by_people');
  assert.equal((await change('POST', '/rails/live/none/pause', { reason })).status, 404);
});

test('the routing table can be read, extended, changed and emptied; a cap can be set and removed', async () => {
  const route = { rail: 'simulated', priority: 2, weight: 3, enabled: true };
  const bounded = { ...route, min_amount: '100', max_amount: '5000000.50', banks: ['GTBank'], cost: '10.75' };
  assert.equal((await change('POST', '/rail-routes/test', bounded)).body.done, true);
  const [added] = (await read('/rails/test')).routes;
  assert.deepEqual(
    [added.priority, added.weight, added.min_amount, added.max_amount, added.cost, added.banks.length],
    [2, 3, '100.00', '5000000.50', '10.75', 1],
  );
  assert.equal(added.banks[0].name, 'Guaranty Trust Bank');
  const own = `/rail-routes/test/${added.route_id}`;
  assert.equal((await change('PUT', own, { ...route, enabled: false })).body.done, true);
  const [changed] = (await read('/rails/test')).routes;
  assert.deepEqual(
    [changed.route_id, changed.enabled, changed.banks, changed.min_amount],
    [added.route_id, false, null, null],
  );
  assert.equal((await railOf('test', 'simulated')).state, 'without_route');
  assert.equal((await change('DELETE', own)).body.done, true);
  assert.deepEqual((await read('/rails/test')).routes, []);
  assert.equal((await change('DELETE', own)).status, 404);
  const wrong = await change('POST', '/rail-routes/test', { ...route, min_amount: '5', max_amount: '4' });
  assert.match(wrong.body.message, /lower amount bound/);
  await change('PUT', '/rails/test/simulated/cap', { per_day: '1000000' });
  assert.equal((await railOf('test', 'simulated')).cap, '1000000.00');
  await change('PUT', '/rails/test/simulated/cap', {});
  assert.equal((await railOf('test', 'simulated')).cap, null);
  const refused = await auditor.send('POST', `${AT}/rails/test/simulated/pause`, { body: { reason: 'no' } });
  assert.equal(refused.status, 403);
});

test('payouts are listed by state and rail, each with its attempts and its case', async () => {
  const done = await sell(service, newCustomer(), { headers: { 'svc-scenario': 'paid' } });
  // The payouts happen one after the other, because the list shows the newest payout first.
  await settled(service, done.transaction_id, { states: ['completed'] });
  const back = await sell(service, newCustomer(), { headers: { 'svc-scenario': 'payout_returned' } });
  await settled(service, back.transaction_id, { states: ['on_hold'] });
  const listed = async (query: string) =>
    (await read(`/payouts?mode=test${query}`)).payouts as { id: string; transaction_id: string }[];
  const ids = async (query: string) => (await listed(query)).map((each) => each.transaction_id);
  assert.deepEqual(await ids(''), [back.transaction_id, done.transaction_id]);
  assert.deepEqual(await ids('&state=done'), [done.transaction_id]);
  assert.deepEqual(await ids('&state=returned'), [back.transaction_id]);
  assert.deepEqual(await ids('&rail=simulated'), [back.transaction_id, done.transaction_id]);
  assert.deepEqual(await ids('&rail=simulated&state=done'), [done.transaction_id]);
  assert.deepEqual(await ids('&rail=simulated&state=returned'), [back.transaction_id]);
  assert.deepEqual(await ids('&rail=other'), []);
  const first = await read('/payouts?mode=test&limit=1');
  assert.deepEqual([first.payouts.length, first.unknown_for_long], [1, []]);
  const next = await read(`/payouts?mode=test&limit=1&cursor=${first.next_cursor}`);
  assert.deepEqual([next.payouts[0].transaction_id, next.next_cursor], [done.transaction_id, null]);
  const [returned] = await listed('&state=returned');
  const one = await read(`/payouts/${returned!.id}`);
  assert.deepEqual(
    one.attempts.map((each: { no: number; rail: string; state: string }) => [each.no, each.rail, each.state]),
    [[1, 'simulated', 'landed']],
  );
  assert.deepEqual(
    [one.payout.state, one.cases.length, one.cases[0].kind, one.cases[0].id],
    ['returned', 1, 'payout_returned', one.payout.case_id],
  );
  const review = await read(`/reviews/${one.payout.case_id}`);
  assert.deepEqual([review.subject.kind, review.subject.transaction_id], ['case', back.transaction_id]);
  assert.deepEqual(
    review.actions.map((each: { action: string }) => each.action),
    ['pay_again', 'refund', 'write_off'],
  );
  // The bank's message does not include the text that the service adds.
  const refused = { reason: 'dormant account (06)', fault: 'payout', since_ms: 1, confirmed_ms: 2 };
  await foundation.database.query({
    text: 'update movement_attempts set evidence = $2 where movement_id = $1',
    values: [returned!.id, JSON.stringify({ refused, reason: `${refused.reason}; and more of ours` })],
  });
  const [attempt] = (await read(`/payouts/${returned!.id}`)).attempts;
  assert.equal(attempt.said, refused.reason);
  for (const query of ['?state=gone', '?rail=a%20b', '?mode=both'])
    assert.equal((await read(`/payouts${query}`)).code, 'filter_invalid');
  assert.equal((await browser.send('GET', `${AT}/payouts/${back.transaction_id}`)).status, 404);
});

test('threat 83: naira moved at a bank are shown as postings and proposed; one person alone cannot book them', async () => {
  const before = await read('/bank-accounts/test');
  const own = before.accounts.find((each: { kind: string }) => each.kind === 'payout');
  assert.deepEqual([own.account, own.used_by, before.in_transit], ['simulated', ['simulated'], '0.00']);
  const move = { mode: 'test', kind: 'put_in', account: 'simulated', amount: '2500.50', day: '2026-11-10' };
  const body = { ...move, reference: 'S123' };
  const shown = await change('POST', '/naira/preview', body);
  assert.deepEqual(
    shown.body.preview.entries.map((each: { event: string }) => each.event),
    ['float_funded'],
    shown.text,
  );
  const proposed = await change('POST', '/proposals/naira', body);
  assert.equal(proposed.body.proposal.request.action, 'naira', proposed.text);
  assert.deepEqual((await read('/bank-accounts/test')).accounts, before.accounts);
  const unknown = await change('POST', '/naira/preview', { ...body, account: '058:9999999999' });
  assert.equal(unknown.status, 404, unknown.text);
  const { banks } = await read('/banks');
  assert.ok(banks.some(({ name }: { name: string }) => name === 'Zenith Bank'));
});
