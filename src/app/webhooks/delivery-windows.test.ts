// Tests how many attempts each endpoint may have in progress. Failing endpoints leave room for the others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_WINDOW } from '../../domain/webhooks/schedule.ts';
import { makeDeliveryWindows } from './delivery-windows.ts';

const FAILED = { kind: 'failed' } as const;
const ANSWERED = { kind: 'answered', status: 200, retryAfterMs: null } as const;

test('failing endpoints share at most half of the slots; an endpoint that responds again gets its slots back at once', () => {
  const windows = makeDeliveryWindows(4);
  const fail = (id: string) => {
    windows.begin(id);
    windows.end(id, FAILED);
  };
  for (const id of ['a', 'b', 'c']) fail(id);
  windows.begin('a');
  assert.deepEqual(Object.fromEntries(windows.rooms()), { a: 0, b: 1, c: 1 });
  windows.begin('b');
  assert.deepEqual(Object.fromEntries(windows.rooms()), { a: 0, b: 0, c: 0 });
  assert.equal(windows.free(), 2, 'for those that do not fail');
  windows.end('b', ANSWERED);
  const { b, c } = Object.fromEntries(windows.rooms());
  assert.deepEqual([b ?? FIRST_WINDOW, c], [FIRST_WINDOW, 1]);
  assert.equal(windows.underWay(), 1);
});

test('when an endpoint starts to fail, all its attempts in progress count, and an attempt that was not sent changes nothing', () => {
  const windows = makeDeliveryWindows(4);
  windows.begin('a');
  windows.begin('a');
  windows.begin('a');
  windows.begin('b');
  windows.end('b', FAILED);
  windows.end('a', FAILED);
  assert.equal(windows.rooms().get('b'), 0, 'two of four places are taken by a');
  windows.end('a', null);
  assert.deepEqual([windows.rooms().get('a'), windows.rooms().get('b')], [0, 1]);
  windows.end('a', null);
  assert.deepEqual([windows.rooms().get('a'), windows.underWay()], [1, 0]);
});

test('failing endpoints take turns: none is skipped because the endpoints before it always have more deliveries', () => {
  const windows = makeDeliveryWindows(2);
  for (const id of ['a', 'b', 'c']) {
    windows.begin(id);
    windows.end(id, FAILED);
  }
  const served: string[] = [];
  // Each endpoint always has a due delivery, and only the endpoint `d` responds. One claim takes one delivery and moves on to
  // the next endpoint.
  for (let after = '', count = 0; count < 40; count++) {
    const rooms = windows.rooms();
    const ids = ['a', 'b', 'c', 'd'].filter((id) => (rooms.get(id) ?? 1) > 0);
    const id = ids.find((each) => each > after) ?? ids[0]!;
    if (id <= after) windows.newRound(false);
    windows.begin(id);
    served.push(id);
    after = id;
    if (id !== 'b')
      for (const each of ['b', id]) if (open(each)) windows.end(each, each === 'd' ? ANSWERED : FAILED);
  }
  function open(id: string): boolean {
    return id !== 'b' || served.at(-2) === 'b';
  }
  for (const id of ['a', 'b', 'c', 'd'])
    assert.ok(served.filter((each) => each === id).length >= 5, `${id} in ${served.join('')}`);
});

test('no failing endpoint is skipped forever, no matter when the attempts end', () => {
  const FAILING = ['a', 'c', 'e', 'g'];
  const ALL = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  // The attempt of a failing endpoint takes this many claims. With each value, its place becomes free at another point of the
  // round.
  for (let lasts = 0; lasts < 12; lasts++) {
    const windows = makeDeliveryWindows(2);
    const served: string[] = [];
    const open = new Map<string, number>();
    for (const id of FAILING) {
      windows.begin(id);
      windows.end(id, FAILED);
    }
    for (let after = '', count = 0; count < 400; count++) {
      const rooms = windows.rooms();
      const ids = ALL.filter((id) => (rooms.get(id) ?? 1) > 0);
      const id = ids.find((each) => each > after) ?? ids[0]!;
      if (id <= after) windows.newRound(false);
      windows.begin(id);
      served.push(id);
      after = id;
      if (FAILING.includes(id)) open.set(id, count + lasts);
      else windows.end(id, ANSWERED);
      for (const [each, until] of open) {
        if (until > count) continue;
        open.delete(each);
        windows.end(each, FAILED);
      }
    }
    const often = FAILING.map((id) => served.filter((each) => each === id).length);
    assert.ok(Math.max(...often) <= 2 * Math.min(...often) + 1, `${lasts}: ${often.join()}`);
  }
});
