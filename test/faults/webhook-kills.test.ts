// Threat 75: the service is killed (kill -9) while it accepts transactions and sends webhooks. Every event arrives, signed,
// with the same webhook-id each time, and the service tries no delivery more often than the schedule allows.
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { until } from '../support/patience.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { buyBody } from '../support/service.ts';
import { afterFile } from '../support/sharing/file-group.ts';

const KILLS = Number(process.env.WEBHOOK_KILLS ?? 1);
const SETTINGS = { WEBHOOK_TIMEOUT_MS: '1000', WEBHOOK_LEASE_MS: '2000', SANDBOX_PACE_MS: '20' };
const BUYS_EACH = 25;

test(`threat 75: after ${KILLS} kills under load every event is delivered, and each keeps its id`, async (t) => {
  const receiver = await startReceiver();
  afterFile(() => receiver.close());
  const home = await makeUsedHome(t);
  let service = await startProcess(t, { home, settings: SETTINGS });
  const business = service.business();
  const call = async (path: string, body: unknown, method = 'POST') => {
    const headers = { 'svc-sec-key': business.testKey, 'content-type': 'application/json' };
    const answer = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    return (await answer.json()) as any;
  };
  const added = await call('/webhooks/v1/endpoints', { url: receiver.url, events: ['transaction.*'] });
  const { id, secret } = added.endpoint;
  const accepted = new Set<string>();
  const submit = async (running: ServiceProcess, no: number) => {
    const reference = `kill-${no}`;
    const answer = await call('/transactions/v1/onramp', buyBody(business, { reference })).catch(() => null);
    if (running === service && answer !== null && answer.transaction !== undefined)
      accepted.add(answer.transaction.transaction_id);
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const running = service;
    const load = Array.from({ length: BUYS_EACH }, (_, each) => submit(running, kill * BUYS_EACH + each));
    await sleep(150 + 100 * kill);
    running.kill('SIGKILL');
    await running.ended;
    await Promise.all(load);
    service = await startProcess(t, { home, settings: SETTINGS });
  }
  await submit(service, KILLS * BUYS_EACH);
  assert.ok(accepted.size > 0);
  const pending = async () =>
    (await call(`/webhooks/v1/endpoints/${id}/deliveries?state=pending`, undefined, 'GET')).deliveries;
  // A delivery that two kills interrupted would wait for minutes by its schedule, so the test requests it now. A delivery that
  // a killed process had leased is due again soon.
  const hurry = async () => {
    const soonMs = Date.now() + Number(SETTINGS.WEBHOOK_LEASE_MS);
    for (const { id: deliveryId, next_attempt_at } of await pending())
      if (Date.parse(next_attempt_at) > soonMs)
        await call(`/webhooks/v1/deliveries/${deliveryId}/redeliver`, {});
  };
  const arrived = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'] as string));
  await until('every acceptance has arrived', async () => {
    await hurry();
    return [...accepted].every((transaction) => arrived().has(`evt_${transaction.slice(4)}_1`));
  });
  await until('nothing is pending', async () => {
    await hurry();
    return (await pending()).length === 0;
  });
  for (const { headers, body } of receiver.received) {
    const webhook = new Webhook(secret);
    const event = webhook.verify(body, headers as Record<string, string>) as { id: string };
    assert.equal(event.id, headers['webhook-id']);
  }
  const all = await call(`/webhooks/v1/endpoints/${id}/deliveries?limit=100`, undefined, 'GET');
  for (const delivery of all.deliveries) {
    assert.equal(delivery.state, 'delivered');
    assert.ok(delivery.attempts_made <= 10);
  }
  const stopped = await service.stop();
  assert.equal(stopped.code, 0);
});

// A receiver of webhooks on this machine that records its requests.

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  close(): Promise<void>;
}

async function startReceiver(): Promise<TestReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.end('noted');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
