// Tests what a business sees of its webhook endpoint: each kind of time has its own name, and no secret is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DISABLED_AFTER_MS, type Endpoint, hasFailedTooLong, showEndpoint } from './endpoint.ts';

const DAY_MS = 86_400_000;
const ENDPOINT: Endpoint = {
  ...{ id: 'whe_1', businessId: 'biz_1', mode: 'test', url: 'https://shop.example/hook' },
  ...{ events: ['transaction.completed'], description: 'the till', publicKey: 'whpk_x' },
  ...{ state: 'disabled', disabledReason: 'failing' },
  ...{ createdAtMs: 0, lastSuccessAtMs: DAY_MS, failingSinceMs: 2 * DAY_MS, updatedAtMs: 3 * DAY_MS },
};

test('an endpoint shows each of its times in a separate field', () => {
  assert.deepEqual(showEndpoint(ENDPOINT), {
    ...{ id: 'whe_1', url: 'https://shop.example/hook', mode: 'test', description: 'the till' },
    ...{ events: ['transaction.completed'], public_key: 'whpk_x' },
    ...{ state: 'disabled', disabled_reason: 'failing' },
    created_at: '1970-01-01T00:00:00.000Z',
    last_success_at: '1970-01-02T00:00:00.000Z',
    failing_since: '1970-01-03T00:00:00.000Z',
    updated_at: '1970-01-04T00:00:00.000Z',
  });
  const fresh = showEndpoint({ ...ENDPOINT, lastSuccessAtMs: null, failingSinceMs: null });
  assert.deepEqual([fresh.last_success_at, fresh.failing_since], [null, null]);
});

test('an endpoint counts as failing for too long after five days with only failures', () => {
  assert.equal(DISABLED_AFTER_MS, 5 * DAY_MS);
  assert.equal(hasFailedTooLong(0, DISABLED_AFTER_MS - 1), false);
  assert.equal(hasFailedTooLong(0, DISABLED_AFTER_MS), true);
  assert.equal(hasFailedTooLong(null, DISABLED_AFTER_MS), false);
});
