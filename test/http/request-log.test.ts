// Tests GET /requests/v1/{request_id}. It returns a request of a business and its response, only to that business and mode,
// without secrets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, buyBody, startTestService } from '../support/service.ts';
import { assertRefused, OFFRAMP, ONRAMP, send } from './helpers.ts';

const service = await startTestService({ RATE_LIMIT_PER_SECOND: '1000', RATE_LIMIT_BURST: '1000' });
const { business } = service;
const idOf = ({ headers }: Pick<Answer, 'headers'>) => headers.get('request-id')!;
const read = (id: string, key = business.testKey) => service.get(`/requests/v1/${id}`, { key });
const kept = async (answer: Pick<Answer, 'headers'>, key = business.testKey) => {
  const found = await read(idOf(answer), key);
  assert.equal(found.status, 200, found.text);
  return found.body.request;
};
const assertNotKept = async (answer: Pick<Answer, 'headers'>) =>
  assertRefused(await read(idOf(answer)), 404, 'request_not_found', []);
const keyId = async () => {
  const { rows } = await service.foundation.database.query<{ id: string }>({
    text: `select id from api_keys where business_id = $1 and mode = 'test'`,
    values: [business.businessId],
  });
  return rows[0]!.id;
};

test('a request that changes data is found in the log at once, with its body and its status', async () => {
  const body = buyBody(business, { reference: 'kept-1', amount: 15_000.5 });
  const answer = await service.post(ONRAMP, body);
  const { at, duration_ms, ...request } = await kept(answer);
  assert.deepEqual(request, {
    request_id: idOf(answer),
    method: 'POST',
    path: ONRAMP,
    status: 200,
    code: null,
    body,
    body_truncated: false,
    key_id: await keyId(),
    mode: 'test',
  });
  assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0);
  assert.ok(Math.abs(Date.parse(at) - Date.parse(answer.body.transaction.created_at)) < 60_000);
});

test('errors are stored with their code, even for reads; successful reads are not stored', async () => {
  const refused = await service.post(OFFRAMP, { type: 'sell_ramp' });
  assert.deepEqual(await kept(refused).then(({ status, code, body }) => [status, code, body]), [
    400,
    'required',
    { type: 'sell_ramp' },
  ]);
  const list = await service.get('/transactions/v1?limit=0&state=paid');
  assert.deepEqual(
    await kept(list).then(({ method, path, status, code, body }) => [method, path, status, code, body]),
    ['GET', '/transactions/v1?limit=0&state=paid', 422, 'filter_invalid', null],
  );
  const broken = await send(service, 'POST', ONRAMP, {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"a":'),
  });
  assert.deepEqual(await kept(broken).then(({ code, body }) => [code, body]), ['invalid_json', null]);
  const otc = await service.get(`${service.otcBaseUrl}/otc/buy`, { key: business.liveKey });
  assert.deepEqual(await kept(otc, business.liveKey).then(({ path, code, mode }) => [path, code, mode]), [
    '/otc/buy',
    'rates_unavailable',
    'live',
  ]);
  await assertNotKept(await service.get('/transactions/v1'));
  await assertNotKept(await service.get('/transactions/v1/vendors'));
});

test('another business or mode finds no request, and gets the same response as for an unknown id', async () => {
  const other = await service.addBusiness('requests-other');
  const answer = await service.post(ONRAMP, buyBody(business));
  const never = await read('req_0000000000000000', other.testKey);
  assertRefused(never, 404, 'request_not_found', []);
  for (const key of [other.testKey, other.liveKey, business.liveKey]) {
    const found = await read(idOf(answer), key);
    assertRefused(found, 404, 'request_not_found', []);
    assert.equal(found.body.message, never.body.message);
  }
  for (const id of ['x', 'req_', 'req_UPPER', `req_${'0'.repeat(90)}`, 'req_0000000000;drop']) {
    assertRefused(await read(id), 404, 'request_not_found', []);
  }
  assertRefused(await service.get(`/requests/v1/${idOf(answer)}`, { key: null }), 401, 'unauthorized', []);
  assert.equal((await read(idOf(answer))).status, 200);
});

test('threat 66: the stored request contains no secret, and contains the rest of the body', async () => {
  const secret = business.liveKey;
  const sent = {
    ...buyBody(business),
    reference: secret,
    note: `see ${secret}`,
    password: 'hunter2',
    [secret]: 1,
  };
  const answer = await service.post(`${ONRAMP}?svc-sec-key=${secret}&q=${secret}`, sent);
  const found = await kept(answer);
  assert.equal(found.path, `${ONRAMP}?svc-sec-key=[redacted]&q=sk_live_…`);
  assert.deepEqual(
    [found.body.reference, found.body.note, found.body.password, found.body['sk_live_…']],
    ['sk_live_…', 'see sk_live_…', '[redacted]', 1],
  );
  assert.equal(found.body.account_number, sent.account_number);
  const { rows } = await service.foundation.database.query<{ all: string }>({
    text: `select coalesce(string_agg(r::text, ' '), '') as all from request_log r`,
  });
  assert.ok(!rows[0]!.all.includes(secret.slice(8)) && !rows[0]!.all.includes('hunter2'));
});

test('a body of more than 16 kB is truncated, and the log entry shows this', async () => {
  const sent = buyBody(business, { account_name: `${'é'.repeat(8_000)} ${'x'.repeat(20_000)}` });
  const found = await kept(await service.post(ONRAMP, sent));
  assert.deepEqual([found.body_truncated, found.body.length, found.code], [true, 16_384, 'too_long']);
  assert.ok(JSON.stringify(sent).startsWith(found.body));
});

test('requests without a valid key are never stored', async () => {
  const count = async () =>
    (
      await service.foundation.database.query<{ n: number }>({
        text: 'select count(*)::int as n from request_log',
      })
    ).rows[0]!.n;
  await kept(await service.post(ONRAMP, {}));
  const before = await count();
  for (const key of [null, 'nonsense', `sk_test_${'A'.repeat(43)}`]) {
    await service.post(ONRAMP, buyBody(business), { key });
    await service.get('/nothing-here', { key });
  }
  await service.get('/nothing-here');
  await kept(await service.post(ONRAMP, {}));
  assert.equal(await count(), before + 1);
});

test('a key over its rate limit finds some of its refused requests in the log, but cannot fill the log with them', async () => {
  const limited = await startTestService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '2' });
  const answers: Answer[] = [];
  // The test sends twice as many requests as the limit, because on a slow machine the rate limit allows some more.
  for (let i = 0; i < 120; i++) answers.push(await limited.get('/transactions/v1/vendors'));
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 40);
  await limited.service.close();
  const { rows } = await limited.foundation.database.query<{ code: string; n: number }>({
    text: 'select code, count(*)::int as n from request_log group by code',
  });
  assert.equal(rows.length, 1);
  assert.equal(rows[0]!.code, 'rate_limited');
  assert.ok(rows[0]!.n >= 10 && rows[0]!.n < refused.length, `${rows[0]!.n} of ${refused.length}`);
});

test('two processes on one database never generate the same id', async () => {
  const another = await startTestService({}, service.databaseUrl, business);
  const ids = await Promise.all(
    [service, another].flatMap((each) =>
      Array.from({ length: 20 }, async () => idOf(await each.post(ONRAMP, {}))),
    ),
  );
  assert.equal(new Set(ids).size, 40);
  await another.service.close(); // flushes
  for (const id of ids) assert.equal((await read(id)).status, 200, id);
});
