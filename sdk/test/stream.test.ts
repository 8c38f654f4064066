// Tests streams over connections that break, stall and split data. The client gets every event once and in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { SliproadApiError, SliproadError, type StreamState } from '../src/index.ts';
import {
  afterLast,
  eventNo,
  eventRoutes,
  openStream,
  type PlayedEvent,
  textOf,
} from './support/event-server.ts';
import { fakeTime, until } from './support/fake-time.ts';
import { breakOff, clientOf, quickTimers, refuse, startPlaying } from './support/playing-server.ts';

const server = await startPlaying();
const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id);

async function take(stream: AsyncIterable<{ id: string }>, count: number): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of stream) if (found.push(id) === count) break;
  return found;
}

test('1,000 events over connections that break at any byte are received once and in order', async () => {
  const log = Array.from({ length: 1000 }, (_, index) => eventNo(index + 1, { name: 'Adéọlá 🌍' }));
  let connections = 0;
  const stream = eventRoutes(log, async (seen, response) => {
    connections++;
    openStream(response);
    const lineEnd = ['\n', '\r\n', '\r'][connections % 3]!;
    const text = afterLast(seen, log)
      .map((event) => `: heartbeat${lineEnd}${lineEnd}${textOf(event, lineEnd)}`)
      .join('');
    // The cut may be inside an event, a line end or a character.
    const bytes = Buffer.from(text).subarray(0, 6000 + connections * 37);
    for (let at = 0; at < bytes.length; at += 613) response.write(bytes.subarray(at, at + 613));
    await wait(2);
    response.destroy();
  });
  server.play(stream);
  const states: StreamState[] = [];
  const sliproad = clientOf(server);
  const all = await take(
    sliproad.events.stream({ after: log[0]!.id, onState: (state) => states.push(state) }),
    999,
  );
  assert.deepEqual(all, ids(log.slice(1)));
  assert.ok(connections > 20);
  assert.equal(states.filter(({ state }) => state === 'connected').length, connections);
  assert.equal(states.filter(({ state }) => state === 'disconnected').length, connections - 1);
});

test('the parser reads single bytes, CRLF, characters split between chunks, several data lines and a byte order mark', async () => {
  const event = eventNo(1, { name: 'Ọlá 🌍' });
  const json = JSON.stringify(event, null, 1)
    .split('\n')
    .map((line) => `data: ${line}\r\n`)
    .join('');
  const text = `\uFEFFretry: 10\r\n: connected\r\n\r\nid: ${event.id}\r\nevent: ${event.type}\r\n${json}\r\n`;
  server.play(async (_seen, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const byte of Buffer.from(text)) {
      response.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  for await (const received of clientOf(server).events.stream({ after: 'evt_0' })) {
    assert.deepEqual(received, event);
    break;
  }
});

test('a new stream whose connection breaks before its first event loses no event', async () => {
  for (const older of [0, 3]) {
    const log: PlayedEvent[] = Array.from({ length: older }, (_, index) => eventNo(index + 1));
    let connections = 0;
    const stream = eventRoutes(log, (seen, response) => {
      openStream(response);
      connections++;
      // The event happens while all streams are closed or not yet confirmed as open.
      log.push(eventNo(log.length + 1));
      if (connections < 3) return void setTimeout(() => response.destroy(), 5);
      for (const event of afterLast(seen, log)) response.write(textOf(event));
    });
    server.play(stream);
    const found = await take(clientOf(server).events.stream(), 3);
    assert.deepEqual(found, ids([1, 2, 3].map((number) => eventNo(older + number))));
  }
});

test('a stream waits for a service that is unreachable at the start; an invalid position is refused', async () => {
  const log = [eventNo(1)];
  const stream = eventRoutes(log, (seen, response) => {
    openStream(response);
    log.push(eventNo(2));
    for (const event of afterLast(seen, log)) response.write(textOf(event));
  });
  server.play(...Array(8).fill(breakOff), stream);
  const states: StreamState[] = [];
  const found = await take(clientOf(server).events.stream({ onState: (state) => states.push(state) }), 1);
  assert.deepEqual(found, [eventNo(2).id]);
  assert.deepEqual(
    states.map(({ state }) => state),
    ['disconnected', 'disconnected', 'connected'],
  );
  for (const after of ['', 'evt 1', 'evt\n1']) {
    await assert.rejects(take(clientOf(server).events.stream({ after }), 1), { code: 'invalid_argument' });
  }
});

test('an event that the service repeats is returned once', async () => {
  server.play((_seen, response) => {
    openStream(response);
    for (const number of [1, 1, 2, 1, 3, 3, 4]) response.write(textOf(eventNo(number)));
  });
  assert.deepEqual(
    await take(clientOf(server).events.stream({ after: 'evt_0' }), 4),
    ids([1, 2, 3, 4].map((number) => eventNo(number))),
  );
});

test('the stream requests the given types, and closes its connection when the caller leaves the loop', async () => {
  let closed = false;
  server.play((_seen, response) => {
    response.on('close', () => {
      closed = true;
    });
    openStream(response);
    response.write(textOf(eventNo(1)));
  });
  await take(
    clientOf(server).events.stream({ after: 'evt_0', types: ['transaction.*', 'refund.completed'] }),
    1,
  );
  assert.equal(server.seen[0]!.url, '/events/v1/stream?type=transaction.*%2Crefund.completed');
  assert.equal(server.seen[0]!.headers['last-event-id'], 'evt_0');
  assert.equal(server.seen[0]!.headers.accept, 'text/event-stream');
  await until(() => closed);
});

test('a stream without data for 45 seconds is reopened; the time limit does not count while a slow caller works', async () => {
  const time = fakeTime();
  const log = [eventNo(1), eventNo(2)];
  server.play(
    (_seen, response) => {
      openStream(response);
      response.write(textOf(log[0]!));
    },
    (seen, response) => {
      openStream(response);
      for (const event of afterLast(seen, log)) response.write(textOf(event));
    },
  );
  const states: StreamState[] = [];
  const stream = clientOf(server, { timers: time.timers }).events.stream({
    after: 'evt_0',
    onState: (state) => states.push(state),
  });
  assert.equal((await stream.next()).value!.id, log[0]!.id);
  time.pass(100_000);
  assert.deepEqual(time.waiting(), [], 'no time limit while the caller works');
  const next = stream.next();
  await until(() => time.waiting().includes(45_000));
  time.pass(44_000);
  assert.equal(states.length, 1);
  time.pass(2_000);
  await until(() => states.length === 2);
  assert.match(JSON.stringify(states[1]), /Nothing arrived for 45 seconds/);
  time.pass(2_000);
  assert.equal((await next).value!.id, log[1]!.id);
  assert.equal(server.seen[1]!.headers['last-event-id'], log[0]!.id);
  await stream.return();
  assert.deepEqual(time.waiting(), [], 'no timer is left behind');
});

test('the stream waits longer after each failure, respects retry-after, and resets the wait after a success', async () => {
  const states: StreamState[] = [];
  server.play(
    breakOff,
    breakOff,
    refuse(503, 'unavailable', { 'retry-after': '20' }),
    ...Array(4).fill(breakOff),
    (_seen, response) => {
      openStream(response);
      setTimeout(() => response.end(), 5);
    },
    (_seen, response) => {
      openStream(response);
      response.write(textOf(eventNo(1)));
    },
  );
  const timers = {
    ...quickTimers(),
    setTimeout: (run: () => void, ms: number) => setTimeout(run, ms >= 30_000 && ms !== 30_000 ? ms : 1),
  };
  const sliproad = clientOf(server, { timers, timeoutMs: 60_000 });
  await take(sliproad.events.stream({ after: 'evt_0', onState: (state) => states.push(state) }), 1);
  const delays = states.map((state) => (state.state === 'disconnected' ? state.retryInMs : 0));
  assert.deepEqual(delays, [2000, 4000, 20_000, 16_000, 30_000, 30_000, 30_000, 0, 10, 0]);
});

test('at the end of a stream, the reason "draining" causes a reconnect, and a revoked key or a refusal throws an error', async () => {
  const ended = (reason: string) => `event: stream.ended\ndata: {"reason":"${reason}"}\n\n`;
  server.play(
    (_seen, response) => {
      openStream(response);
      response.end(ended('draining'));
    },
    (_seen, response) => {
      openStream(response);
      response.end(ended('too_slow'));
    },
    (_seen, response) => {
      openStream(response);
      response.write(textOf(eventNo(1)));
      response.end(ended('key_revoked'));
    },
  );
  const found: string[] = [];
  const walk = async () => {
    for await (const { id } of clientOf(server).events.stream({ after: 'evt_0' })) found.push(id);
  };
  const isUnauthorized = (error: unknown) => error instanceof SliproadApiError && error.status === 401;
  await assert.rejects(walk(), isUnauthorized);
  assert.deepEqual([found, server.seen.length], [[eventNo(1).id], 3]);
  for (const status of [401, 403, 404, 422]) {
    server.play(refuse(status, 'unauthorized'));
    await assert.rejects(walk(), (error) => error instanceof SliproadError && error.status === status);
    assert.equal(server.seen.length, 1);
  }
});

test('an abort ends the loop without an error, in every phase of waiting', async () => {
  const plays = [
    { play: () => undefined, where: 'before the answer' },
    { play: (_seen: unknown, response: never) => openStream(response), where: 'between events' },
    { play: breakOff, where: 'between connections' },
  ];
  for (const { play, where } of plays) {
    server.play(play as never);
    const controller = new AbortController();
    const sliproad = clientOf(server, {
      timers: { ...quickTimers(), setTimeout: (run, ms) => setTimeout(run, ms) },
    });
    setTimeout(() => controller.abort(), 60);
    for await (const event of sliproad.events.stream({ after: 'evt_0', signal: controller.signal }))
      assert.fail(String(event));
    for await (const event of sliproad.events.stream({ signal: controller.signal }))
      assert.fail(`${where}: ${event}`);
  }
});
