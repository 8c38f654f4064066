// Tests how often the service queries the database for refunds and payouts: never for a new transaction, once for a repeated
// transaction, and once for a page of any length.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pino from 'pino';
import { readConfig } from '../../src/config.ts';
import { addOnramp, addTransactionRoutes } from '../../src/http/routes/transactions.ts';
import { makeSubmissionDeps } from '../../src/wire/features/intake.ts';
import { type OpenFeature, openService } from '../../src/wire.ts';
import { SECRETS_KEY } from '../support/people/secrets-key.ts';
import { buyBody, startTestService } from '../support/service.ts';
import { ONRAMP } from './helpers.ts';

const service = await startTestService();
let reads: number[] = [];
const counted: OpenFeature = (parts) => {
  const details: typeof parts.details = {
    detailsOf: (transactions) => {
      reads.push(transactions.length);
      return parts.details.detailsOf(transactions);
    },
  };
  const { buy, sell } = makeSubmissionDeps({ ...parts, details });
  return {
    routes: [
      {
        server: 'main',
        add: (app, { authenticate }) => {
          addOnramp(app, '/counted/onramp', authenticate, buy);
          app.register(
            async (inner) => addTransactionRoutes(inner, { ...parts, details, buy, sell, authenticate }),
            { prefix: '/counted' },
          );
        },
      },
    ],
  };
};
const log = pino({ level: 'silent' });
const opened = await openService(
  readConfig({ ...SECRETS_KEY, DATABASE_URL: service.databaseUrl }),
  { logger: log, plain: log },
  { beside: [counted] },
);
after(() => opened.close());
const baseUrl = await opened.servers.main.listen({ host: '127.0.0.1', port: 0 });

test('accepting a transaction reads no details; the response to a repeated request reads them once', async () => {
  const body = buyBody(service.business, { reference: 'counted-1' });
  const first = await service.post(`${baseUrl}/counted/onramp`, body);
  assert.deepEqual([first.status, reads], [200, []], first.text);
  const again = await service.post(`${baseUrl}/counted/onramp`, body);
  assert.deepEqual([again.body.transaction, reads], [first.body.transaction, [1]]);
});

test('a page of the list reads the details of all its transactions with one query', async () => {
  for (let index = 0; index < 30; index++)
    assert.equal((await service.post(ONRAMP, buyBody(service.business))).status, 200);
  reads = [];
  const { body } = await service.get(`${baseUrl}/counted/transactions/v1?limit=30`);
  assert.deepEqual([body.transactions.length, reads], [30, [30]]);
});
