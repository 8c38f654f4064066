// Tests how one event stream ends. The HTTP tests use a real database and real clients.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { EventHub, Subscriber } from './event-hub.ts';
import { makeEventStream } from './event-stream.ts';

function stage() {
  const joined: Subscriber[] = [];
  const sent: string[] = [];
  const hub = {
    join: async (subscriber: Subscriber) => {
      joined.push(subscriber);
      return '1/a/1';
    },
    leave: (subscriber: Subscriber) => void joined.splice(joined.indexOf(subscriber), 1),
  } as unknown as EventHub;
  const response = {
    writableLength: 0,
    write: (text: string) => sent.push(text) > 0,
    end: (text: string) => sent.push(text, 'END'),
    destroy: () => undefined,
  } as unknown as ServerResponse;
  const stream = makeEventStream({
    ...{ hub, scope: { businessId: 'biz_1', mode: 'test' }, wants: () => true, from: undefined },
    ...{ list: async () => [], render: () => Buffer.from('') },
  });
  return { stream, response, sent, joined };
}

const CONNECTED = 'retry: 2000\n\n: connected\n\n';
const ended = (reason: string) => [`event: stream.ended\ndata: {"reason":"${reason}"}\n\n`, 'END'];

test('an open stream says why it ends, and ends once', async () => {
  const { stream, response, sent, joined } = stage();
  await stream.join();
  await stream.open(response);
  stream.end('key_revoked');
  stream.end('draining');
  assert.deepEqual(sent, [CONNECTED, ...ended('key_revoked')]);
  assert.deepEqual(joined, []);
});

test('a stream that ends between joining the hub and its response is ended as soon as it has a response', async () => {
  const { stream, response, sent, joined } = stage();
  await stream.join();
  joined[0]!.restart();
  await stream.open(response);
  assert.deepEqual(sent, [CONNECTED, ...ended('log_restarted')]);
});
