// Tests which streams receive which events of a page. In these tests the event log is a list in memory; the HTTP tests use a
// real database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/patience.ts';
import { afterFile } from '../../../test/support/sharing/file-group.ts';
import type { BusinessEvent } from '../../domain/events/event.ts';
import type { LogPage } from '../../ports/events.ts';
import { makeEventHub, type Subscriber } from './event-hub.ts';

const SCOPE = { businessId: 'biz_1', mode: 'test' } as const;

function accountEvent(id: string, changes: object = {}): BusinessEvent {
  const event = { kind: 'account', id, type: 'webhook_endpoint.disabled', sequence: 1, ...SCOPE, atMs: 0 };
  return { ...event, data: {}, endpointId: null, ...changes } as BusinessEvent;
}

test('threat 68: a stream gets no event of another business or mode, and no event meant for a single webhook endpoint', async () => {
  const pages: BusinessEvent[][] = [];
  const read = async (): Promise<LogPage> => {
    const events = pages.shift() ?? [];
    return { events, position: '1/a/1', atEnd: true, startedOver: false };
  };
  const hub = makeEventHub({
    log: { end: async () => '1/a/1', read },
    render: ({ id }) => Buffer.from(id),
    onRead: () => undefined,
    onError: (error) => assert.fail(error),
  });
  afterFile(() => hub.close());
  const got: string[] = [];
  const subscriber: Subscriber = {
    scope: SCOPE,
    wants: ({ id }) => id !== 'evt_unwanted',
    receive: (chunks) => got.push(...chunks.map(({ bytes }) => bytes.toString())),
    restart: () => undefined,
  };
  await hub.join(subscriber);
  pages.push([
    accountEvent('evt_test', { type: 'webhook.test', endpointId: 'whe_1' }),
    accountEvent('evt_stranger', { businessId: 'biz_2' }),
    accountEvent('evt_live', { mode: 'live' }),
    accountEvent('evt_unwanted'),
    accountEvent('evt_own'),
  ]);
  hub.wake();
  await until('the page is read', async () => got.length > 0);
  assert.deepEqual(got, ['evt_own']);
  hub.leave(subscriber);
});
