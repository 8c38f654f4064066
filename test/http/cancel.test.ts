// Tests cancelling a transaction. It is possible while no money has arrived, harmless to repeat, refused once money has
// arrived, and recorded once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUY_STATES, canMove, SELL_STATES } from '../../src/domain/records/states.ts';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, OFFRAMP, ONRAMP, send, storedTransaction, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business, foundation } = service;

async function make(type: 'buy' | 'sell', changes: object = {}): Promise<string> {
  const [path, body] = type === 'buy' ? [ONRAMP, buyBody(business)] : [OFFRAMP, sellBody(business)];
  const answer = await service.post(path, { ...body, ...changes });
  assert.equal(answer.status, 200);
  return answer.body.transaction.transaction_id;
}
const cancel = (id: string, key?: string) =>
  send(service, 'POST', `/transactions/v1/${id}/cancel`, key ? { headers: { 'idempotency-key': key } } : {});
const force = (id: string, state: string) =>
  foundation.database.query({
    text: 'update transaction_states set state = $2 where transaction_id = $1',
    values: [id, state],
  });
const linesOf = async (id: string) => {
  const { rows } = await foundation.database.query({
    text: 'select version, from_state, to_state, reason from timeline where transaction_id = $1 order by version',
    values: [id],
  });
  return rows;
};

test('a buy with a wallet, a buy without one and a sell can be cancelled, each with one timeline entry', async () => {
  for (const [id, from] of [
    [await make('buy'), 'awaiting_payment'],
    [await make('buy', { network: undefined, wallet_address: undefined }), 'awaiting_wallet'],
    [await make('sell'), 'awaiting_deposit'],
  ] as const) {
    const answer = await cancel(id);
    assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [200, null]);
    const { transaction } = answer.body;
    assert.deepEqual([transaction.state, transaction.next_action], ['cancelled', null]);
    assert.equal(transaction.state_reason, 'cancelled_by_business');
    assert.ok(transaction.updated_at >= transaction.created_at);
    const read = await service.get(`/transactions/v1/${id}`);
    assert.deepEqual(read.body.transaction, transaction);
    assert.deepEqual(await linesOf(id), [
      { version: 2, from_state: from, to_state: 'cancelled', reason: 'cancelled_by_business' },
    ]);
  }
});

test('a second cancel succeeds and changes nothing, even if fifty are sent at the same time', async () => {
  const id = await make('buy');
  const answers = await Promise.all(Array.from({ length: 50 }, () => cancel(id)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  const again = await storingNothing(service, () => cancel(id));
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await linesOf(id)).length, 1);
  assert.equal((await storedTransaction(service, id)).version, 2);
});

test('a cancel is refused in every other state, and nothing changes', async () => {
  for (const [type, states] of [
    ['buy', BUY_STATES],
    ['sell', SELL_STATES],
  ] as const) {
    for (const state of states) {
      if (state === 'cancelled' || canMove(type, state, 'cancelled')) continue;
      const id = await make(type);
      await force(id, state);
      assertRefused(await storingNothing(service, () => cancel(id)), 409, 'state_conflict', []);
      assert.deepEqual((await storedTransaction(service, id)).state, state);
    }
  }
});

test('a wallet is refused in every state of a buy, except those that can still wait for one', async () => {
  const wallet = { network: 'Polygon', wallet_address: buyBody(business).wallet_address };
  for (const state of BUY_STATES) {
    if (state === 'awaiting_wallet') continue;
    const id = await make('buy', { network: undefined, wallet_address: undefined });
    await force(id, state);
    if (state === 'on_hold') {
      const given = await service.put(`/transactions/v1/${id}/wallet`, wallet);
      assert.deepEqual([given.status, given.body.transaction.state], [200, 'on_hold']);
      continue;
    }
    assertRefused(await service.put(`/transactions/v1/${id}/wallet`, wallet), 409, 'state_conflict', []);
  }
});

test('threat 27: a cancel with an Idempotency-Key runs once, and the key is valid only for that cancel', async () => {
  const [first, second] = [await make('buy'), await make('buy')];
  assert.equal((await cancel(first, 'cancel-1')).headers.get('idempotent-replayed'), null);
  const again = await cancel(first, 'cancel-1');
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true']);
  assertRefused(await cancel(second, 'cancel-1'), 409, 'idempotency_key_reused', []);
  assert.equal((await storedTransaction(service, second)).state, 'awaiting_payment');
  const headers = { 'idempotency-key': 'cancel-1' };
  const create = await service.post(ONRAMP, buyBody(business), { headers });
  assertRefused(create, 409, 'idempotency_key_reused', []);
});

test('threat 28: the key of a create request cannot be used for a cancel, and a refused cancel does not use up its key', async () => {
  const headers = { 'idempotency-key': 'created-with' };
  const { transaction } = (await service.post(ONRAMP, buyBody(business), { headers })).body;
  assertRefused(await cancel(transaction.transaction_id, 'created-with'), 409, 'idempotency_key_reused', []);
  const paid = await make('buy');
  await force(paid, 'paid');
  assertRefused(await cancel(paid, 'refused-cancel'), 409, 'state_conflict', []);
  assertRefused(await cancel(`txn_${'0'.repeat(26)}`, 'refused-cancel'), 404, 'transaction_not_found', []);
  assert.equal((await cancel(transaction.transaction_id, 'refused-cancel')).status, 200);
  assertRefused(await cancel(transaction.transaction_id, 'a b'), 422, 'idempotency_key_invalid', []);
});

test('a cancel needs no body; if a body is sent, it must be JSON', async () => {
  const id = await make('buy');
  const path = `/transactions/v1/${id}/cancel`;
  const json = { 'content-type': 'application/json' };
  const bad = await send(service, 'POST', path, { headers: json, body: Buffer.from('{') });
  assertRefused(bad, 400, 'invalid_json');
  const text = { 'content-type': 'text/plain' };
  const typed = await send(service, 'POST', path, { headers: text, body: Buffer.from('x') });
  assertRefused(typed, 415, 'unsupported_media_type');
  assert.equal((await storedTransaction(service, id)).state, 'awaiting_payment');
  for (const body of ['', '{}', '{"state":"completed"}', 'null']) {
    const answer = await send(service, 'POST', path, { headers: json, body: Buffer.from(body) });
    assert.deepEqual([answer.status, answer.body.transaction.state], [200, 'cancelled']);
  }
});
