// Tests the SDK against a running service. A stream over many broken connections must return exactly the same events as the
// list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAST } from '../../test/e2e/calls.ts';
import { startTestService } from '../../test/support/service.ts';
import { Sliproad, SliproadStateError } from '../src/index.ts';
import { quickTimers } from './support/playing-server.ts';

const service = await startTestService(FAST);
const { businessId, linkTag, testKey } = service.business;
const ACCOUNT = { account_name: 'Adaeze Okafor', account_number: '0123456785', bank_name: 'GTBank' };

let cuts = 0;
const cuttingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
  let left = 1_500 + (cuts++ % 7) * 611;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new Error('cut'));
    },
  });
  return new Response(response.body!.pipeThrough(cut), {
    status: response.status,
    headers: response.headers,
  });
};

const sliproad = new Sliproad({
  secretKey: testKey,
  baseUrl: service.baseUrl,
  businessId,
  linkTag,
  fetch: cuttingFetch,
  timers: quickTimers(),
});

test('every event of 12 sells is received once and in order, over streams that break', async () => {
  const stop = new AbortController();
  const streamed: string[] = [];
  let completed = 0;
  let isOpen = () => {};
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve;
  });
  const walk = (async () => {
    const onState = ({ state }: { state: string }) => state === 'connected' && isOpen();
    for await (const { id, type } of sliproad.events.stream({ signal: stop.signal, onState })) {
      streamed.push(id);
      if (type === 'transaction.completed' && ++completed === 12) stop.abort();
    }
  })();
  await opened;
  const sells = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      sliproad.sell({ amount: 30_000 + index, ...ACCOUNT }, { scenario: 'paid' }),
    ),
  );
  await walk;
  const listed: string[] = [];
  for await (const { id } of sliproad.events.list({ limit: 7 })) listed.push(id);
  assert.deepEqual(streamed, listed.slice(0, streamed.length));
  assert.equal(new Set(listed).size, listed.length);
  assert.ok(listed.length >= 12 * 4 && cuts > 10, `${listed.length} events, ${cuts} cuts`);
  for (const { transaction_id } of sells.slice(0, 3)) {
    assert.equal(
      (await sliproad.waitFor(transaction_id, 'completed', { timeoutMs: 60_000 })).state,
      'completed',
    );
  }
});

test('waitFor throws an error that contains the transaction if it ends in another state; a refused key ends a stream', async () => {
  const { transaction_id } = await sliproad.sell({ amount: 31_000, ...ACCOUNT });
  await sliproad.transactions.cancel(transaction_id);
  await assert.rejects(
    sliproad.waitFor(transaction_id, 'completed'),
    (error) => error instanceof SliproadStateError && error.transaction.state === 'cancelled',
  );
  const stranger = new Sliproad({
    secretKey: 'sk_test_wrong',
    baseUrl: service.baseUrl,
    businessId,
    linkTag,
  });
  for (const stream of [stranger.events.stream(), stranger.events.stream({ after: 'evt_1' })]) {
    await assert.rejects(stream.next(), { status: 401, code: 'unauthorized' });
  }
});
