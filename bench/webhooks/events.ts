// Creates endpoints, and creates events for them by accepting transactions over HTTP. An open database transaction holds back
// the horizon. Therefore all acceptances end before the first event can be read.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { BUY_REQUEST } from '../../src/http/reference/examples.ts';
import type { BenchService } from '../service-process.ts';

const AT_ONCE = 64;

export async function addEndpoints(service: BenchService, urls: readonly string[]): Promise<void> {
  await inTurn(urls, async (url) => {
    await post(service, '/webhooks/v1/endpoints', { url });
  });
}

export async function acceptBuys(service: BenchService, count: number): Promise<void> {
  const stem = `w${randomBytes(5).toString('hex')}`;
  const numbers = Array.from({ length: count }, (_, index) => index);
  await inTurn(numbers, async (number) => {
    const reference = `${stem}-${number}`;
    const body = { ...BUY_REQUEST, reference, business_id: service.businessId };
    await post(service, '/transactions/v1/onramp', body);
  });
}

export async function holdEvents({ connection }: BenchService): Promise<() => Promise<void>> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

/**
 * Waits until the outcome of every webhook attempt is stored. The receiver on this machine always returns 200, so a failed
 * attempt is an error.
 */
export async function deliveriesStored(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ pending: number; failed: string | null }>(STORED);
    const { pending, failed } = rows[0]!;
    if (failed !== null) throw new Error(`Attempts failed: ${failed}`);
    if (pending === 0) return;
    await sleep(50);
  }
}

const STORED = `
  select (select count(*)::int from (select from webhook_deliveries where state = 'pending' limit 1) as p) as pending,
    (select string_agg(distinct concat_ws(' ', outcome, status, error), ', ') from webhook_attempts where outcome <> 'succeeded')
      as failed`;

async function post(service: BenchService, path: string, body: object): Promise<void> {
  const response = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'svc-sec-key': service.key },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`);
}

async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
