// kill -9 of the service while clients use quotes: each quote is used by one transaction or by none, and a client that asks again
// gets the transaction that its quote was used for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { connectionOf } from '../support/home.ts';
import { until } from '../support/patience.ts';
import { startProcess } from '../support/process.ts';
import { type Answer, buyBody } from '../support/service.ts';

const KILLS = Number(process.env.FAULT_KILLS ?? 1);
const CLIENTS = 6;

interface Used {
  readonly quoteId: string;
  readonly transactionId: string;
}

test(`threat 30: kill -9 while quotes are used, ${KILLS} times: each is used once, and no answer is taken back`, async (t) => {
  const home = await makeUsedHome(t);
  let service = await startProcess(t, { home });
  const business = service.business();
  const { baseUrl } = service;
  const used: Used[] = [];
  let stopping = false;
  const post = async (path: string, body: object) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'svc-sec-key': business.testKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5_000),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  /** Until it is answered: a lost answer says nothing. */
  const ask = async (path: string, body: object) => {
    for (;;) {
      const answer = await post(path, body).catch(() => undefined);
      if (answer !== undefined && answer.status < 500) return answer;
      await sleep(50);
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
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  for (let round = 1; round <= KILLS; round++) {
    const before = used.length;
    await until('quotes are used', () => used.length > before + 20);
    await sleep(Math.random() * 50);
    service.kill('SIGKILL');
    assert.equal((await service.ended).signal, 'SIGKILL');
    service = await startProcess(t, { home });
  }
  const before = used.length;
  await until('quotes are used again', () => used.length > before + 20);
  stopping = true;
  await clients;
  const database = new pg.Client(connectionOf(home.dataDir));
  await database.connect();
  const { rows } = await database.query<{ quote_id: string; id: string; transaction_id: string }>(
    'select t.quote_id, t.id, q.transaction_id from transactions t join quotes q on q.id = t.quote_id',
  );
  await database.end();
  const stored = new Map(rows.map((row) => [row.quote_id, row]));
  assert.equal(stored.size, rows.length, 'one transaction for each quote');
  for (const { id, transaction_id } of rows) assert.equal(transaction_id, id);
  for (const { quoteId, transactionId } of used) assert.equal(stored.get(quoteId)?.id, transactionId);
  assert.equal(rows.length, used.length, 'no transaction that no client heard of');
  assert.equal((await service.stop()).code, 0);
});
