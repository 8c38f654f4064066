// Tests the ids, types and subscriptions of events.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { STATES } from '../records/states.ts';
import {
  EVENT_TYPES,
  eventId,
  eventTypeOfLine,
  hasRefundEvent,
  isSubscribedTo,
  isSubscription,
  placeOfEvent,
} from './event.ts';

const TRANSACTION = `txn_${'0123456789abcdefghjkmnpqrs'}`;

test('an event id identifies its line of the timeline, and no other text is an event id', () => {
  for (const isRefund of [true, false]) {
    const place = { transactionId: TRANSACTION, version: 12, isRefund };
    assert.deepEqual(placeOfEvent(eventId(place)), place);
  }
  for (const id of [
    '',
    'evt_',
    TRANSACTION,
    `evt_${'0'.repeat(26)}`,
    `evt_${'0'.repeat(26)}_0`,
    `evt_${'0'.repeat(25)}l_1`,
    `evt_${'0'.repeat(26)}_1x`,
    `evt_${'0'.repeat(26)}_2147483648`,
    `evt_${'0'.repeat(26)}_99999999999`,
  ])
    assert.equal(placeOfEvent(id), undefined, id);
});

test('every timeline line has a type from the list, and a webhook-id contains no dot', () => {
  for (const from of [null, ...STATES])
    for (const to of STATES)
      for (const reason of [
        'refund_made',
        'payout_returned',
        'payment_reversed_after_use',
        'constructor',
        'accepted',
      ])
        assert.ok(EVENT_TYPES.includes(eventTypeOfLine({ from, to, reason })));
  assert.equal(eventTypeOfLine({ from: null, to: 'paid', reason: 'accepted' }), 'transaction.accepted');
  assert.equal(
    eventTypeOfLine({ from: 'paid', to: 'on_hold', reason: 'refund_made' }),
    'transaction.on_hold',
  );
  assert.equal(
    eventTypeOfLine({ from: 'completed', to: 'completed', reason: 'refund_made' }),
    'refund.completed',
  );
  assert.equal(
    eventTypeOfLine({ from: 'on_hold', to: 'on_hold', reason: 'wallet_given' }),
    'transaction.updated',
  );
  assert.ok(hasRefundEvent({ from: 'cancelled', to: 'refunded', reason: 'refund_made' }));
  assert.ok(!hasRefundEvent({ from: 'completed', to: 'completed', reason: 'refund_made' }));
  assert.ok(!eventId({ transactionId: TRANSACTION, version: 1, isRefund: true }).includes('.'));
  assert.equal(new Set(EVENT_TYPES).size, EVENT_TYPES.length);
});

test('a subscription is for one type or for a group of types', () => {
  assert.ok(isSubscribedTo(null, 'refund.completed'));
  assert.ok(isSubscribedTo(['transaction.*'], 'transaction.paid'));
  assert.ok(!isSubscribedTo(['transaction.*'], 'refund.completed'));
  assert.ok(!isSubscribedTo([], 'refund.completed'));
  for (const good of ['transaction.*', 'refund.completed', 'webhook_endpoint.*'])
    assert.ok(isSubscription(good), good);
  for (const bad of ['*', '.*', 'transaction.', 'transaction', 'Transaction.paid', 'trans.*'])
    assert.ok(!isSubscription(bad), bad);
});

test('docs/integrate/events.md lists exactly the existing types', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/integrate/events.md'), 'utf8');
  const table = page.slice(page.indexOf('| type |'), page.indexOf('New types may be added'));
  const listed = table
    .split('\n')
    .flatMap((row) => row.split('|')[1]?.match(/`[^`]+`/g) ?? [])
    .map((word) => word.slice(1, -1));
  assert.deepEqual(listed.toSorted(), EVENT_TYPES.toSorted());
});
