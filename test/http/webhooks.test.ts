// Tests the webhook routes: endpoints, their keys, deliveries and redeliveries. The service uses DATABASE_URL, so it refuses
// endpoints at loopback addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/patience.ts';
import { buyBody, startTestService } from '../support/service.ts';
import { ONRAMP, send } from './helpers.ts';

const service = await startTestService({ WEBHOOK_ENDPOINTS_MAX: '4' });
const { business } = service;
const ENDPOINTS = '/webhooks/v1/endpoints';
const URL_A = 'https://hooks.invalid/a?token=tkn-in-the-url';

const body = async (method: string, path: string, given: unknown, key = business.testKey) => {
  const headers = { 'svc-sec-key': key, 'content-type': 'application/json' };
  return send(service, method, path, { headers, body: Buffer.from(JSON.stringify(given)) });
};
const remove = (path: string, key = business.testKey) =>
  send(service, 'DELETE', path, { headers: { 'svc-sec-key': key } });
const add = async (given: object = {}, options = {}) => {
  const answer = await service.post(ENDPOINTS, { url: URL_A, ...given }, options);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.endpoint;
};

test('an endpoint is created with its secret, and no other response, log or record contains the secret', async () => {
  const endpoint = await add({ events: ['transaction.completed', 'refund.*'], description: ' Orders ' });
  assert.match(endpoint.id, /^whe_/);
  assert.match(endpoint.secret, /^whsec_/);
  assert.match(endpoint.public_key, /^whpk_/);
  assert.deepEqual(
    [endpoint.url, endpoint.events, endpoint.description, endpoint.mode, endpoint.state],
    [URL_A, ['transaction.completed', 'refund.*'], 'Orders', 'test', 'enabled'],
  );
  const rotated = await service.post(`${ENDPOINTS}/${endpoint.id}/rotate`, { overlap_hours: 1 });
  assert.match(rotated.body.endpoint.secret, /^whsec_/);
  assert.notEqual(rotated.body.endpoint.secret, endpoint.secret);
  assert.notEqual(rotated.body.endpoint.public_key, endpoint.public_key);
  const { database } = service.foundation;
  const stored = await database.query({
    text: `select (select json_agg(e) from webhook_endpoints e) as endpoints, (select json_agg(s) from webhook_secrets s) as keys,
      (select json_agg(a) from audit_log a) as audit`,
  });
  const everywhere = [
    (await service.get(ENDPOINTS)).text,
    (await service.get(`${ENDPOINTS}/${endpoint.id}`)).text,
    service.logged(),
    JSON.stringify(stored.rows),
  ].join('\n');
  for (const secret of [endpoint.secret, rotated.body.endpoint.secret])
    assert.ok(!everywhere.includes(secret.slice('whsec_'.length)));
  const audit = JSON.stringify(stored.rows[0]!.audit);
  assert.ok(!audit.includes('tkn-in-the-url'), 'a token in the URL is not copied to the audit log');
  for (const action of ['webhook_endpoint_added', 'webhook_secret_rotated'])
    assert.ok(audit.includes(action));
  assert.equal((await remove(`${ENDPOINTS}/${endpoint.id}`)).status, 200);
});

test('a request that is repeated with its Idempotency-Key creates only one endpoint, one rotation or one test event', async () => {
  const headers = { 'idempotency-key': 'add-1' };
  const [first, second] = [await add({}, { headers }), await add({}, { headers })];
  assert.deepEqual(second, first);
  const other = await service.post(ENDPOINTS, { url: `${URL_A}2` }, { headers });
  assert.equal(other.body.code, 'idempotency_key_reused');
  const path = `${ENDPOINTS}/${first.id}`;
  const rotate = () => service.post(`${path}/rotate`, {}, { headers: { 'idempotency-key': 'rotate-1' } });
  const secret = (await rotate()).body.endpoint.secret;
  const again = await rotate();
  assert.equal(again.body.endpoint.secret, secret);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.equal((await add({}, { headers })).secret, null, 'the first secret was rotated');
  const sendTest = () =>
    service.post(`${path}/test`, undefined, { headers: { 'idempotency-key': 'test-1' } });
  const tested = await sendTest();
  assert.equal(tested.status, 200, tested.text);
  assert.equal((await sendTest()).body.delivery.id, tested.body.delivery.id);
  assert.equal(tested.body.delivery.event_type, 'webhook.test');
  await remove(path);
});

test('a rotation without overlap ends all earlier keys, and a rotation with overlap extends none of them', async () => {
  const { id } = await add();
  const ends = async () => {
    const { rows } = await service.foundation.database.query<{ hours: number | null }>({
      text: `select round(extract(epoch from ends_at - now()) / 3600)::int as hours from webhook_secrets
        where endpoint_id = $1 order by no`,
      values: [id],
    });
    return rows.map(({ hours }) => hours);
  };
  const rotate = (hours: number) => service.post(`${ENDPOINTS}/${id}/rotate`, { overlap_hours: hours });
  await rotate(2);
  await rotate(48);
  assert.deepEqual(await ends(), [2, 48, null]);
  await rotate(0);
  assert.deepEqual(await ends(), [null]);
  await remove(`${ENDPOINTS}/${id}`);
});

test('invalid values are refused, and the error names the field and the fix', async () => {
  const refusals: readonly [object, string, RegExp][] = [
    [{ url: 'http://127.0.0.1:4000/' }, 'url_invalid', /not public/],
    [{ url: 'http://169.254.169.254/' }, 'url_invalid', /not public/],
    [{ url: 'ftp://hooks.invalid/' }, 'url_invalid', /https/],
    [{ url: URL_A, events: ['transaction.complete'] }, 'event_type_unknown', /Use transaction.completed/],
    [{ url: URL_A, events: [1] }, 'wrong_type', /strings/],
    [{ url: URL_A, events: 'transaction.paid' }, 'wrong_type', /array/],
    [{ url: URL_A, description: 'x'.repeat(201) }, 'too_long', /200/],
    [{}, 'required', /url/],
  ];
  for (const [given, code, message] of refusals) {
    const answer = await service.post(ENDPOINTS, given);
    assert.equal(answer.body.code, code, answer.text);
    assert.match(answer.body.message, message);
  }
  const live = await service.post(ENDPOINTS, { url: 'http://hooks.invalid/' }, { key: business.liveKey });
  assert.equal(live.body.message, 'url must start with https:// in live mode.');
  const { id } = await add();
  const rotated = await service.post(`${ENDPOINTS}/${id}/rotate`, { overlap_hours: 169 });
  assert.equal(rotated.body.code, 'overlap_invalid');
  assert.equal((await body('PATCH', `${ENDPOINTS}/${id}`, { state: 'off' })).body.code, 'state_invalid');
  const recovered = await service.post(`${ENDPOINTS}/${id}/recover`, { since: 'yesterday' });
  assert.equal(recovered.body.code, 'filter_invalid');
  const range = { from: '2026-11-14T09:00:00Z', to: '2026-11-14T08:00:00Z' };
  assert.equal((await service.post(`${ENDPOINTS}/${id}/redeliver`, range)).body.code, 'filter_invalid');
  const years = { from: '1970-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
  for (const cursor of [
    '',
    'x',
    '\0',
    'evt_\0',
    `evt_${'0'.repeat(26)}_2147483648`,
    `evt_${'0'.repeat(26)}_1`,
  ])
    for (const [route, asked] of [
      ['redeliver', years],
      ['recover', { since: years.from }],
    ] as const) {
      const answer = await service.post(`${ENDPOINTS}/${id}/${route}`, { ...asked, cursor });
      assert.equal(answer.body.code, 'cursor_invalid', `${route} ${JSON.stringify(cursor)}: ${answer.text}`);
    }
  assert.equal((await service.get(`${ENDPOINTS}/${id}/deliveries?state=lost`)).body.code, 'filter_invalid');
  assert.equal((await service.get(`${ENDPOINTS}/${id}/deliveries?cursor=x`)).body.code, 'cursor_invalid');
  await remove(`${ENDPOINTS}/${id}`);
});

test('a change keeps omitted fields; null removes the description and subscribes to every event', async () => {
  const { id } = await add({ events: ['refund.*'], description: 'Orders' });
  const change = async (given: object) => {
    const { endpoint } = (await body('PATCH', `${ENDPOINTS}/${id}`, given)).body;
    return [endpoint.url, endpoint.events, endpoint.description, endpoint.state];
  };
  assert.deepEqual(await change({}), [URL_A, ['refund.*'], 'Orders', 'enabled']);
  assert.deepEqual(await change({ description: null }), [URL_A, ['refund.*'], null, 'enabled']);
  assert.deepEqual(await change({ events: null }), [URL_A, null, null, 'enabled']);
  const again = { events: ['transaction.*'], description: 'Shop', state: 'disabled' };
  assert.deepEqual(await change(again), [URL_A, ['transaction.*'], 'Shop', 'disabled']);
  const unchanged = await change({ url: null, state: null });
  assert.deepEqual(unchanged, [URL_A, ['transaction.*'], 'Shop', 'disabled'], 'they cannot be removed');
  assert.equal((await body('PATCH', `${ENDPOINTS}/${id}`, { description: 1 })).body.code, 'wrong_type');
  await remove(`${ENDPOINTS}/${id}`);
});

test('a business has a maximum number of endpoints per mode, even with simultaneous requests', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => service.post(ENDPOINTS, { url: URL_A })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 409, 409, 409, 409]);
  assert.ok(answers.some((answer) => answer.body.code === 'endpoint_limit_reached'));
  const live = await service.post(ENDPOINTS, { url: URL_A }, { key: business.liveKey });
  assert.equal(live.status, 200, 'the other mode has its own');
  await remove(`${ENDPOINTS}/${live.body.endpoint.id}`, business.liveKey);
  for (const { status, body: added } of answers)
    if (status === 200) await remove(`${ENDPOINTS}/${added.endpoint.id}`);
});

test('threat 68: endpoints and deliveries of another business or mode get the same response as unknown ones', async () => {
  const { id } = await add();
  const delivery = (await service.post(`${ENDPOINTS}/${id}/test`, undefined)).body.delivery.id;
  const stranger = await service.addBusiness('stranger');
  for (const key of [stranger.testKey, business.liveKey]) {
    assert.deepEqual((await service.get(ENDPOINTS, { key })).body.endpoints, []);
    const calls = [
      service.get(`${ENDPOINTS}/${id}`, { key }),
      service.get(`${ENDPOINTS}/${id}/deliveries`, { key }),
      service.get(`/webhooks/v1/deliveries/${delivery}`, { key }),
      body('PATCH', `${ENDPOINTS}/${id}`, { state: 'disabled' }, key),
      remove(`${ENDPOINTS}/${id}`, key),
      service.post(`${ENDPOINTS}/${id}/rotate`, {}, { key }),
      service.post(`${ENDPOINTS}/${id}/test`, undefined, { key }),
      service.post(`${ENDPOINTS}/${id}/recover`, { since: '2026-11-14T09:00:00Z' }, { key }),
      service.post(`/webhooks/v1/deliveries/${delivery}/redeliver`, undefined, { key }),
    ];
    for (const answer of await Promise.all(calls)) assert.equal(answer.status, 404, answer.text);
  }
  assert.equal((await service.get(`${ENDPOINTS}/${id}`)).body.endpoint.state, 'enabled');
  await remove(`${ENDPOINTS}/${id}`);
});

test('a business can queue one range at a time; further ranges are refused', async () => {
  const { id } = await add();
  const range = { from: '1970-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
  const ask = (route: string, given: object) => service.post(`${ENDPOINTS}/${id}/${route}`, given);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? ask('redeliver', range) : ask('recover', { since: range.from }),
    ),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0 && refused.length < answers.length);
  for (const { body: refusal, headers } of refused)
    assert.deepEqual([refusal.code, headers.has('retry-after')], ['rate_limited', true]);
  assert.equal((await ask('redeliver', range)).status, 200);
  await remove(`${ENDPOINTS}/${id}`);
});

test('a delivery shows its request and attempts, and a repeated request never creates a second delivery', async () => {
  const { id } = await add({ events: ['transaction.accepted'] });
  const path = `${ENDPOINTS}/${id}`;
  const accepted = await service.post(ONRAMP, buyBody(business));
  const { transaction_id: transactionId } = accepted.body.transaction;
  const list = async () => (await service.get(`${path}/deliveries`)).body.deliveries;
  await until('an attempt is logged', async () => (await list())[0]?.attempts_made > 0);
  const [first] = await list();
  let detail = (await service.get(`/webhooks/v1/deliveries/${first.id}`)).body.delivery;
  await until('the outcome of every attempt is stored', async () => {
    detail = (await service.get(`/webhooks/v1/deliveries/${first.id}`)).body.delivery;
    return detail.attempts.length > 0 && detail.attempts.length === detail.attempts_made;
  });
  const sent = JSON.parse(detail.request.body);
  assert.deepEqual([sent.id, sent.data.transaction.transaction_id], [first.event_id, transactionId]);
  assert.equal(detail.request.headers['webhook-id'], first.event_id);
  assert.ok(!('webhook-signature' in detail.request.headers));
  assert.equal(detail.attempts[0].outcome, 'dns');
  const redelivered = await service.post(`/webhooks/v1/deliveries/${first.id}/redeliver`, undefined);
  // A retry that was due before the request stays due at its own time.
  const nowMs = service.foundation.clock.now();
  const { next_attempt_at: nextAt, attempts_made: made } = redelivered.body.delivery;
  const hasBegun = made > detail.attempts_made;
  assert.ok(
    Date.parse(nextAt) <= nowMs || hasBegun,
    `its next attempt is due or has begun: ${nextAt}, ${nowMs}, ${made}`,
  );

  await body('PATCH', path, { state: 'disabled' });
  const witness = `${ENDPOINTS}/${(await add({ events: ['transaction.accepted'] })).id}`;
  const missed = (await service.post(ONRAMP, buyBody(business))).body.transaction.transaction_id;
  const isOfMissed = (each: { event_id: string }) => each.event_id.includes(missed.slice(4));
  await until('the event went to another endpoint, and so passed by this one', async () =>
    (await service.get(`${witness}/deliveries`)).body.deliveries.some(isOfMissed),
  );
  await remove(witness);
  await until('what was pending has ended', async () => (await list())[0].reason === 'endpoint_disabled');
  const refused = await service.post(`/webhooks/v1/deliveries/${first.id}/redeliver`, undefined);
  assert.equal(refused.body.code, 'endpoint_disabled');
  await body('PATCH', path, { state: 'enabled' });
  const since = { since: '2020-01-01T00:00:00Z' };
  assert.equal((await service.post(`${path}/recover`, since)).body.queued, 2);
  assert.equal((await service.post(`${path}/recover`, since)).status, 200);
  assert.equal((await list()).length, 2, 'a repeated request makes no second delivery');
  assert.ok((await list()).some(isOfMissed));
  const range = { from: '2020-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' };
  assert.equal((await service.post(`${path}/redeliver`, range)).status, 200);
  assert.equal((await list()).length, 2);
  const page = await service.get(`${path}/deliveries?limit=1`);
  assert.equal(page.body.deliveries.length, 1);
  const next = await service.get(`${path}/deliveries?limit=1&cursor=${page.body.next_cursor}`);
  assert.notEqual(next.body.deliveries[0].id, page.body.deliveries[0].id);
  await remove(path);
});
