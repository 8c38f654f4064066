// Tests rail events in review. People see these events, make the service query the rail again, or close them. All other events
// stay as they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig } from '../../../test/support/settlement.ts';
import { makeEventQueue } from '../../adapters/postgres/rails/event-queue.ts';
import { makeRailEventStore } from '../../adapters/postgres/rails/rail-event-store.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { closeRailEvent, retryRailEvent } from './decide-rail-event.ts';

const rig = await openRig();
const eventDesk = makeRailEventStore(rig.database);
const queue = makeEventQueue(rig.database);
const deps = { eventDesk, clock: { now: rig.now }, actor: 'os:ada' };
const person = { ...deps, actor: 'per_1' };
let count = 0;

async function inReview(mode: Mode): Promise<string> {
  const id = `rev_${++count}`;
  rig.pass(1);
  await queue.store({
    ...{ id, mode, rail: 'odd', digest: id, body: '{"name":"ADA"}', type: 'charge.success', topic: 'credit' },
    ...{ about: `ref-${count}`, isPaid: null, receivedAtMs: rig.now(), state: 'open', dueAtMs: rig.now() },
  });
  const request = { atMs: rig.now(), leaseMs: 1_000, limit: 10 };
  const [leased] = await queue.lease({ mode, rail: 'odd' }, request);
  const next = {
    state: 'review',
    outcome: 'the rail does not have the record',
    looks: 30,
    dueAtMs: null,
  } as const;
  assert.ok(await queue.move(leased!, next));
  return id;
}

const logged = (id: string) =>
  rig.rows<{ action: string; actor: string; reason: string | null }>(
    `select action, actor, detail ->> 'reason' as reason from audit_log where subject = $1 order by no`,
    id,
  );
const codeOf = async (decided: ReturnType<typeof closeRailEvent>) => {
  const result = await decided;
  return result.ok ? null : result.error.code;
};

test('events are listed newest first, by mode, rail and state, with the reason and without the body', async () => {
  const [first, second] = [await inReview('test'), await inReview('live')];
  const ids = async (filter: object) => (await eventDesk.list({ limit: 10, ...filter })).map(({ id }) => id);
  assert.deepEqual(await ids({ state: 'review' }), [second, first]);
  assert.deepEqual(await ids({ mode: 'test', rail: 'odd' }), [first]);
  assert.deepEqual([await ids({ state: 'open' }), await ids({ rail: 'other' })], [[], []]);
  const [shown] = await eventDesk.list({ mode: 'test', limit: 1 });
  assert.deepEqual([shown?.outcome, shown?.looks], ['the rail does not have the record', 30]);
  assert.doesNotMatch(JSON.stringify(shown), /ADA/);
});

test('an event is retried from the start, or closed with a reason, and the audit log records both', async () => {
  const id = await inReview('test');
  assert.equal(await codeOf(retryRailEvent(deps, id)), null);
  const [open] = await queue.lease({ mode: 'test', rail: 'odd' }, { atMs: rig.now(), leaseMs: 9, limit: 9 });
  assert.deepEqual([open?.id, open?.looks, open?.tries], [id, 0, 1]);
  assert.equal(await codeOf(retryRailEvent(deps, id)), 'not_possible');
  assert.equal(await codeOf(closeRailEvent(deps, id, 'old')), 'not_possible');

  const other = await inReview('test');
  assert.equal(await codeOf(closeRailEvent(deps, other, ' ')), 'invalid');
  const closed = await closeRailEvent(deps, other, 'a test of the bank');
  assert.ok(closed.ok);
  assert.deepEqual([closed.value.state, closed.value.outcome], ['done', 'closed: a test of the bank']);
  assert.equal(await codeOf(closeRailEvent(deps, other, 'again')), 'not_possible');
  assert.deepEqual(await logged(id), [{ action: 'rail_event_tried_again', actor: 'os:ada', reason: null }]);
  assert.deepEqual(await logged(other), [
    { action: 'rail_event_closed', actor: 'os:ada', reason: 'a test of the bank' },
  ]);
  assert.equal(await codeOf(closeRailEvent(deps, 'rev_none', 'x')), 'not_found');
});

test('threat 83: only a signed-in person can decide about a live event', async () => {
  const id = await inReview('live');
  assert.equal(await codeOf(retryRailEvent(deps, id)), 'sign_in_needed');
  assert.equal(await codeOf(closeRailEvent(deps, id, 'x')), 'sign_in_needed');
  assert.equal((await eventDesk.find(id))?.state, 'review');
  assert.equal(await codeOf(closeRailEvent(person, id, 'x')), null);
});
