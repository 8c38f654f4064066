// Tests the first requests of a new user, through HTTP and PostgreSQL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';

const service = await sharedTestService();

test('the response to an accepted buy has every field of the interface, and the buy can be read again', async () => {
  const accepted = await service.post(
    '/transactions/v1/onramp',
    buyBody(service.business, { reference: 'first' }),
  );
  assert.equal(accepted.status, 200);
  const { transaction } = accepted.body;
  assert.equal(transaction.type, 'Buy');
  assert.equal(transaction.state, 'awaiting_payment');
  const read = await service.get(`/transactions/v1/${transaction.transaction_id}`);
  assert.deepEqual(read.body.transaction, transaction);
});

test('the response to a sell has its deposit instruction', async () => {
  const accepted = await service.post('/transactions/v1/offramp', sellBody(service.business));
  assert.equal(accepted.status, 200);
  assert.equal(accepted.body.transaction.deposits.length, 4);
});
