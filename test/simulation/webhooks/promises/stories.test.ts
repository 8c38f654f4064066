// The watch must compare each attempt with the response to this attempt. A late response to an earlier attempt is not the
// response to the newest one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptSettlement, WebhookOutcome, WebhookRequest } from '../../../../src/ports/webhooks.ts';
import { makeStoryWatch } from './stories.ts';
import type { WatchedParts } from './watching.ts';

function stage() {
  const promises: string[] = [];
  const memory = { deliveries: new Map([['whd_1', { eventId: 'evt_1', attempts: 2, roundStart: 0 }]]) };
  const watch = makeStoryWatch({
    ...{ memory, now: () => 0, toleranceMs: 0 },
    broken: (promise: string) => void promises.push(promise),
  } as unknown as WatchedParts);
  const answered = (status: number) => ({ kind: 'answered', status, retryAfterMs: null }) as WebhookOutcome;
  const heard = (sentAtMs: number, status: number) => {
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${sentAtMs / 1_000}` };
    watch.heard('w1.0', { endpointId: 'whe_1', headers } as unknown as WebhookRequest, answered(status));
  };
  const settled = (sentAtMs: number, next: 'delivered' | 'retry') =>
    watch.settled('w1.0', {
      ...{ delivery: { id: 'whd_1' }, endpointId: 'whe_1' },
      ...{ attempt: { atMs: sentAtMs + 7 }, next: { kind: next } },
    } as unknown as AttemptSettlement);
  return { promises, heard, settled };
}

test('a late response to an earlier attempt does not change the newest attempt', () => {
  const { promises, heard, settled } = stage();
  heard(40_000, 200);
  heard(20_000, 500);
  settled(40_000, 'delivered');
  assert.deepEqual(promises, []);
});

test('it breaks the promise if a response of 500 counts as delivered or a response of 200 does not', () => {
  for (const [status, next] of [
    [500, 'delivered'],
    [200, 'retry'],
  ] as const) {
    const { promises, heard, settled } = stage();
    heard(40_000, status);
    settled(40_000, next);
    assert.deepEqual(promises, ['what was taken is delivered, and nothing else']);
  }
});
