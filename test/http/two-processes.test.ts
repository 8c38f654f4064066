// Threats 27, 28 and 70 with two services on one database: the services do not communicate, and the database decides.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey, revokeKey } from '../../src/app/back-office/manage-keys.ts';
import { buyBody, sellBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import {
  assertRefused,
  countRows,
  eventually,
  OFFRAMP,
  ONRAMP,
  startAnother,
  storingNothing,
} from './helpers.ts';

const service = await sharedTestService();
const another = await startAnother(service);
const { business } = service;
const bases = [service.baseUrl, another.baseUrl];
const idOf = (answer: { body: { transaction: { transaction_id: string } } }) =>
  answer.body.transaction.transaction_id;

function race(path: string, body: (turn: number) => object, headers: Record<string, string> = {}) {
  return Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      service.post(`${bases[turn % 2]}${path}`, body(turn), { headers }),
    ),
  );
}

test('threat 27: one key used by two processes at the same time creates one transaction', async () => {
  for (let round = 0; round < 10; round++) {
    const before = await countRows(service, 'transactions');
    const headers = { 'idempotency-key': `race-${round}` };
    const answers = await race(ONRAMP, () => buyBody(business), headers);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(answers.filter(({ headers: h }) => h.get('idempotent-replayed') === null).length, 1);
    assert.equal(await countRows(service, 'transactions'), before + 1);
  }
});

test('threat 27: one reference used by two processes at the same time creates one transaction', async () => {
  for (let round = 0; round < 10; round++) {
    const before = await countRows(service, 'transactions');
    const answers = await race(OFFRAMP, () => sellBody(business, { reference: `sell-${round}` }));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(await countRows(service, 'transactions'), before + 1);
  }
});

test('threat 28: of different bodies that are sent at the same time with one reference or key, one is accepted, and the others conflict', async () => {
  for (const [name, code] of [
    ['reference', 'reference_reused'],
    ['key', 'idempotency_key_reused'],
  ] as const) {
    const before = await countRows(service, 'transactions');
    const reference = name === 'reference' ? { reference: 'contended' } : {};
    const headers = name === 'key' ? { 'idempotency-key': 'contended' } : {};
    const answers = await race(ONRAMP, (turn) => buyBody(business, { ...reference, amount: 15000 + turn }), {
      ...headers,
    } as Record<string, string>);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, name);
    for (const answer of answers.filter(({ status }) => status !== 200)) assertRefused(answer, 409, code, []);
    assert.equal(await countRows(service, 'transactions'), before + 1);
  }
});

test('threat 27: simultaneous cancels in two processes change the transaction once', async () => {
  const id = idOf(await service.post(ONRAMP, buyBody(business)));
  const answers = await race(`/transactions/v1/${id}/cancel`, () => ({}), {
    'idempotency-key': 'cancel-race',
  });
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1);
  const { rows } = await service.foundation.database.query({
    text: 'select version, to_state from timeline where transaction_id = $1 order by version',
    values: [id],
  });
  assert.deepEqual(rows, [{ version: 2, to_state: 'cancelled' }]);
});

test('threat 30: one process returns what another process committed', async () => {
  const body = buyBody(business, { reference: 'crossed' });
  const first = await service.post(`${bases[0]}${ONRAMP}`, body);
  const second = await service.post(`${bases[1]}${ONRAMP}`, body);
  assert.deepEqual([second.status, second.text], [200, first.text]);
  const read = await service.get(`${bases[1]}/transactions/v1/${idOf(first)}`);
  assert.deepEqual(read.body.transaction, first.body.transaction);
});

test('threat 70: in both processes, a revoked key stops creating transactions at once, and stops reading soon after', async () => {
  const key = (await issueKey(service.foundation, business.businessId, 'test'))!;
  for (const base of bases) {
    const accepted = await service.post(`${base}${ONRAMP}`, buyBody(business), { key: key.secretKey });
    assert.equal(accepted.status, 200);
  }
  await revokeKey(service.foundation, key.id);
  await storingNothing(service, async () => {
    for (const base of bases) {
      const refused = await service.post(`${base}${ONRAMP}`, buyBody(business), { key: key.secretKey });
      assertRefused(refused, 401, 'unauthorized', []);
    }
  });
  for (const base of bases) {
    const read = () => service.get(`${base}/transactions/v1`, { key: key.secretKey });
    await eventually(async () => (await read()).status === 401, 'the key reads nothing');
    assertRefused(await read(), 401, 'unauthorized', []);
  }
});
