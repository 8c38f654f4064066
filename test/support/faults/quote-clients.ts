// Clients that request a quote, use it, and record the transaction of each quote. At most one transaction uses each quote. A
// client that repeats its request gets the transaction of its quote.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionSettings } from '../../../src/adapters/postgres/connection/database.ts';
import { query } from '../accounted.ts';
import { limitMs } from '../patience.ts';
import type { ServiceProcess } from '../process.ts';
import { type Answer, buyBody } from '../service.ts';

const CLIENTS = 6;
const ASK_AGAIN_MS = 50;
const PACE_MS = Number(process.env.LOAD_PACE_MS ?? 15);

export interface QuoteClients {
  used(): number;
  /** Stops after the requests in progress. Throws if a response was neither a success nor a request to retry. */
  stop(): Promise<void>;
  assertUsedOnce(connection: ConnectionSettings): Promise<void>;
}

export function startQuoteClients(service: ServiceProcess): QuoteClients {
  const { baseUrl } = service;
  const business = service.business();
  const used: { readonly quoteId: string; readonly transactionId: string }[] = [];
  let stopping = false;
  const post = async (path: string, body: object) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'svc-sec-key': business.testKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(limitMs('answer')),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  /** The client repeats the request until there is a response, because a lost response proves nothing. */
  const ask = async (path: string, body: object) => {
    for (;;) {
      const answer = await post(path, body).catch(() => undefined);
      if (answer !== undefined && answer.status < 500) return answer;
      await sleep(ASK_AGAIN_MS);
    }
  };
  const client = async () => {
    while (!stopping) {
      const { body } = await ask('/quotes/v1', { side: 'buy', amount: 15_000 });
      const quoteId: string = body.quote.quote_id;
      const buy = { ...buyBody(business, {}), amount: 15_000, quote_id: quoteId, reference: undefined };
      const answer = await ask('/transactions/v1/onramp', buy);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      used.push({ quoteId, transactionId: answer.body.transaction.transaction_id });
      if (PACE_MS > 0) await sleep(2 * PACE_MS * Math.random());
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  clients.catch(() => undefined); // reported by stop()
  return {
    used: () => used.length,
    stop: async () => {
      stopping = true;
      await clients;
    },
    assertUsedOnce: async (connection) => {
      const rows = await query<{ quote_id: string; id: string; transaction_id: string }>(
        connection,
        'select t.quote_id, t.id, q.transaction_id from transactions t join quotes q on q.id = t.quote_id',
      );
      const stored = new Map(rows.map((row) => [row.quote_id, row]));
      assert.equal(stored.size, rows.length, 'one transaction for each quote');
      for (const { id, transaction_id } of rows) assert.equal(transaction_id, id);
      for (const { quoteId, transactionId } of used) assert.equal(stored.get(quoteId)?.id, transactionId);
      assert.equal(rows.length, used.length, 'no transaction that no client heard of');
    },
  };
}
