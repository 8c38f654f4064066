// Tests for threat 77 on connections alone: clients that read responses too slowly, too many requests, and counts that decrease
// after a request has ended.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { makeConnections } from './connections.ts';
import { makeTraffic } from './traffic.ts';

function stage(t: TestContext, limits: { requestsInFlight?: number; isProxy?: boolean } = {}) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const traffic = makeTraffic({
    maxConnections: 100,
    maxConnectionsPerAddress: 100,
    requestsInFlight: limits.requestsInFlight ?? 100,
    isProxy: () => limits.isProxy ?? false,
  });
  const refused: unknown[] = [];
  const answered: unknown[] = [];
  const connections = makeConnections({
    traffic,
    writeTimeoutMs: 1_000,
    requestTimeoutMs: 2_000,
    refuse: (response) => refused.push(response),
    answered: (response) => answered.push(response),
  });
  const server = Object.assign(new EventEmitter(), { setTimeout: () => undefined });
  connections.watch(server as unknown as Server);
  const handled: unknown[] = [];
  const handle = connections.guard((_request, response) => handled.push(response));
  const makeSocket = (remoteAddress = '192.0.2.1') => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      destroyed: false,
      pause: () => undefined,
      destroy: () => {
        socket.destroyed = true;
      },
    });
    server.emit('connection', socket);
    return socket;
  };
  const request = (socket: EventEmitter) => {
    const response = Object.assign(new EventEmitter(), { req: { socket } }) as unknown as ServerResponse;
    handle(response.req, response as never);
    return response;
  };
  return {
    traffic,
    connections,
    makeSocket,
    request,
    handled,
    refused,
    answered,
    tick: t.mock.timers.tick.bind(t.mock.timers),
  };
}

test('threat 77: sending a response may take ten times its time-out in total, in addition to the time for the request', (t) => {
  const { makeSocket, request, tick } = stage(t);
  const [slow, quick, idle] = [makeSocket(), makeSocket(), makeSocket()];
  request(slow);
  const first = request(quick);
  request(quick);
  tick(8_000);
  first.emit('close');
  tick(4_000);
  assert.deepEqual([slow.destroyed, quick.destroyed, idle.destroyed], [false, false, false]);
  tick(500);
  assert.deepEqual([slow.destroyed, quick.destroyed, idle.destroyed], [true, false, false]);
  tick(8_000);
  assert.deepEqual([quick.destroyed, idle.destroyed], [true, false]);
});

test('threats 77, 103: an upload may take long while bytes arrive; its connection is closed after a pause, or if bytes arrive after its response', (t) => {
  const { makeSocket, request, connections, tick } = stage(t);
  const start = () => {
    const socket = Object.assign(makeSocket(), { bytesRead: 1 });
    const response = request(socket);
    const req = Object.assign(response.req, { complete: false, readableLength: 0 });
    connections.takeUpload(response);
    return { socket, response, req };
  };
  const [goes, paused, waits, answered, whole] = [start(), start(), start(), start(), start()];
  const pass = (seconds: number) => {
    for (let passed = 0; passed < seconds; passed++) {
      for (const { socket } of [goes, answered]) socket.bytesRead++;
      tick(1_000);
    }
  };
  const gone = () => [goes, paused, waits, answered, whole].map(({ socket }) => socket.destroyed);
  // Bytes of this upload have arrived that the service has not read yet.
  waits.req.readableLength = 9;
  Object.assign(answered.response, { writableFinished: true }).emit('close');
  whole.req.complete = true;
  pass(2);
  assert.deepEqual(gone(), [false, false, false, false, false]);
  pass(1);
  assert.deepEqual(gone(), [false, true, false, true, false]);
  const [still, over] = [goes, whole].map(({ socket }) => connections.isUploading(socket as never));
  assert.deepEqual([still, over], [true, false]);
  pass(60);
  assert.deepEqual(gone(), [false, true, false, true, true], 'a whole one is held to the limits of answers');
});

test('threats 77, 103: an address with too many unanswered requests may not pipeline further requests', (t) => {
  const { makeSocket, request, handled, refused, traffic } = stage(t, { requestsInFlight: 10 });
  const [one, two, other] = [makeSocket(), makeSocket(), makeSocket('192.0.2.2')];
  for (let i = 0; i < 10; i++) request(one);
  assert.equal(handled.length, 10);
  request(two);
  assert.deepEqual([handled.length, two.destroyed], [11, false]);
  request(two);
  assert.deepEqual([handled.length, refused.length, one.destroyed, two.destroyed], [11, 0, false, true]);
  request(other);
  request(other);
  assert.deepEqual([handled.length, other.destroyed], [13, false]);
  two.emit('close');
  assert.equal(traffic.unanswered, 12);
});

test('threat 77: the limit per address does not apply to a proxy, only the limit per connection', (t) => {
  const { makeSocket, request, handled, refused } = stage(t, { requestsInFlight: 1, isProxy: true });
  const socket = makeSocket();
  for (let i = 0; i < 50; i++) request(socket);
  assert.deepEqual([handled.length, refused.length, socket.destroyed], [32, 1, false]);
});

test('every connection and request is subtracted from the counts once: when it gets its response or when its connection ends', (t) => {
  const { makeSocket, request, answered, traffic } = stage(t);
  const socket = makeSocket();
  const responses = Array.from({ length: 5 }, () => request(socket));
  responses[0]!.emit('close');
  responses[0]!.emit('close');
  assert.deepEqual([answered.length, traffic.unanswered, traffic.connections], [1, 4, 1]);
  socket.emit('close');
  for (const response of responses) response.emit('close');
  assert.deepEqual([answered.length, traffic.unanswered, traffic.connections], [5, 0, 0]);
});
