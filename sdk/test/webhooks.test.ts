// Tests that webhooks are verified according to Standard Webhooks, in both directions with the reference library. Webhooks that
// were changed, replayed or signed for the future are refused.
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { EVENT_TYPES } from '../../src/domain/events/event.ts';
import {
  SliproadWebhookError,
  signTestEvent,
  testEvent,
  type VerifyWebhookInput,
  verifyWebhook,
} from '../src/index.ts';

const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`;
const SECRET = newSecret();
const NOW = new Date('2026-11-16T05:00:00Z');

function newPair() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  return {
    publicKey,
    privateKey,
    whpk: `whpk_${point.toString('base64')}`,
    whsk: `whsk_${seed.toString('base64')}`,
    whskBoth: `whsk_${Buffer.concat([seed, point]).toString('base64')}`,
  };
}

const signed = (changes: Partial<Parameters<typeof signTestEvent>[0]> = {}) =>
  signTestEvent({ secret: SECRET, type: 'transaction.completed', timestamp: NOW, ...changes });

async function refused(input: VerifyWebhookInput, code: SliproadWebhookError['code']): Promise<void> {
  await assert.rejects(verifyWebhook(input), (error) => {
    assert.ok(error instanceof SliproadWebhookError, String(error));
    assert.equal(error.code, code);
    return true;
  });
}

describe('the signature scheme', () => {
  test('the reference library accepts signatures of the SDK, and the SDK accepts those of the library', async () => {
    for (const bytes of [24, 32, 64]) {
      const secret = newSecret(bytes);
      const { payload, headers } = await signed({ secret, timestamp: new Date() });
      assert.deepEqual(new Webhook(secret).verify(payload, headers), JSON.parse(payload));
      const body = JSON.stringify(testEvent('transaction.paid', { data: { name: 'Ọlá 🌍' } }));
      const now = new Date();
      const reference = {
        'webhook-id': 'evt_1_2',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('evt_1_2', now, body),
      };
      assert.deepEqual(await verifyWebhook({ payload: body, headers: reference, secret }), JSON.parse(body));
    }
  });

  test('ed25519: node:crypto accepts signatures of the SDK, and the SDK accepts those of node:crypto', async () => {
    const pair = newPair();
    for (const secret of [pair.whsk, pair.whskBoth]) {
      const { payload, headers } = await signed({ secret });
      const [version, signature] = headers['webhook-signature'].split(',');
      const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${payload}`);
      assert.equal(version, 'v1a');
      assert.ok(verify(null, content, pair.publicKey, Buffer.from(signature!, 'base64')));
      assert.ok(await verifyWebhook({ payload, headers, secret: pair.whpk, now: NOW }));
      const own = `v1a,${sign(null, content, pair.privateKey).toString('base64')}`;
      assert.ok(
        await verifyWebhook({
          payload,
          headers: { ...headers, 'webhook-signature': own },
          secret: pair.whpk,
          now: NOW,
        }),
      );
      await refused({ payload, headers, secret: newPair().whpk, now: NOW }, 'signature_wrong');
      await refused({ payload: `${payload} `, headers, secret: pair.whpk, now: NOW }, 'signature_wrong');
    }
  });

  test('during a rotation, the header may have several signatures and the receiver several secrets', async () => {
    const [old, fresh, pair] = [newSecret(), newSecret(), newPair()];
    const { payload, headers } = await signed({ secret: [old, fresh, pair.whsk] });
    assert.match(headers['webhook-signature'], /^v1,\S+ v1,\S+ v1a,\S+$/);
    for (const secret of [old, fresh, pair.whpk, [newSecret(), fresh], [old, pair.whpk]]) {
      assert.ok(await verifyWebhook({ payload, headers, secret, now: NOW }));
    }
    await refused({ payload, headers, secret: [newSecret(), newPair().whpk], now: NOW }, 'signature_wrong');
  });
});

describe('the received request', () => {
  test('accepts headers as Headers, as a record in upper or lower case, and in the form of Node; accepts the body as text or bytes', async () => {
    const { payload, headers } = await signed();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const arrays = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const each of [headers, new Headers(headers), upper, arrays]) {
      for (const body of [payload, new TextEncoder().encode(payload), Buffer.from(payload)]) {
        assert.equal(
          (await verifyWebhook({ payload: body, headers: each, secret: SECRET, now: NOW })).type,
          'transaction.completed',
        );
      }
    }
    const twice = { ...headers, 'webhook-signature': `v1,AAAA, ${headers['webhook-signature']}` };
    assert.ok(await verifyWebhook({ payload, headers: twice, secret: SECRET, now: NOW }));
  });

  test('threat 73: a webhook with a changed body, id or time is refused before it is parsed', async () => {
    const { payload, headers } = await signed();
    const input = { payload, headers, secret: SECRET, now: NOW };
    await refused({ ...input, payload: payload.replace('15000', '15001') }, 'signature_wrong');
    await refused({ ...input, payload: '{ not json' }, 'signature_wrong');
    await refused({ ...input, headers: { ...headers, 'webhook-id': 'evt_other' } }, 'signature_wrong');
    const later = String(Number(headers['webhook-timestamp']) + 1);
    await refused({ ...input, headers: { ...headers, 'webhook-timestamp': later } }, 'signature_wrong');
    for (const signature of [
      'v1,',
      'v1',
      ',',
      'v1,AAAA',
      'v1,§§',
      'v2,AAAA',
      headers['webhook-signature'].replace('v1', 'v1a'),
    ]) {
      await refused({ ...input, headers: { ...headers, 'webhook-signature': signature } }, 'signature_wrong');
    }
  });

  test('threat 62 and 73: a time outside the tolerance is refused, in the past and in the future', async () => {
    const { payload, headers } = await signed();
    const at = (seconds: number) => ({
      payload,
      headers,
      secret: SECRET,
      now: NOW.getTime() + seconds * 1000,
    });
    for (const seconds of [-300, -1, 0, 1, 300]) assert.ok(await verifyWebhook(at(seconds)));
    await refused(at(301), 'timestamp_too_old');
    await refused(at(600), 'timestamp_too_old');
    await refused(at(-301), 'timestamp_too_new');
    await refused({ ...at(11), toleranceSeconds: 10 }, 'timestamp_too_old');
    for (const toleranceSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      await assert.rejects(verifyWebhook({ ...at(0), toleranceSeconds }), { code: 'invalid_argument' });
    }
  });

  test('missing or malformed headers are refused', async () => {
    const { payload, headers } = await signed();
    const input = (changes: Record<string, string | undefined>) => ({
      payload,
      headers: { ...headers, ...changes },
      secret: SECRET,
      now: NOW,
    });
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await refused(input({ [name]: undefined }), 'headers_missing');
      await refused(input({ [name]: '' }), 'headers_missing');
    }
    for (const time of ['now', '1e9', '-5', '1.5', '0x10', '17000000000000']) {
      await refused(input({ 'webhook-timestamp': time }), 'headers_malformed');
    }
    await refused(input({ 'webhook-id': 'evt.1' }), 'headers_malformed');
    await refused(input({ 'webhook-signature': 'v1,AAAA '.repeat(5000) }), 'headers_malformed');
  });

  test('the error says what was used wrongly: a parsed body, no secret, a wrong kind of secret or an incomplete secret', async () => {
    const { payload, headers } = await signed();
    const wrong: object[] = [
      { payload: JSON.parse(payload) },
      { secret: undefined },
      { secret: [] },
      { secret: 'secret' },
      { secret: newPair().whsk },
      { secret: SECRET.slice(0, 20) },
      { secret: 'whsec_§' },
      { headers: undefined },
      { now: new Date('x') },
    ];
    for (const changes of wrong) {
      const input = { payload, headers, secret: SECRET, now: NOW, ...changes } as VerifyWebhookInput;
      await assert.rejects(
        verifyWebhook(input),
        (error: Error & { code?: string }) =>
          error.code === 'invalid_argument' && !error.message.includes(SECRET.slice(8, 20)),
      );
    }
  });

  test('a signed body that is not an event is refused', async () => {
    for (const body of ['null', '[]', '1', '{"type":1}', '{', Buffer.from([0x7b, 0xff])]) {
      const seconds = Math.floor(NOW.getTime() / 1000);
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(seconds),
        'webhook-signature': '',
      };
      const content = Buffer.concat([Buffer.from(`evt_1.${seconds}.`), Buffer.from(body)]);
      const pair = newPair();
      headers['webhook-signature'] = `v1a,${sign(null, content, pair.privateKey).toString('base64')}`;
      await refused({ payload: body, headers, secret: pair.whpk, now: NOW }, 'payload_malformed');
    }
  });
});

test('every event type has a test event with matching data', async () => {
  for (const type of EVENT_TYPES) {
    const { payload, headers } = await signed({ type });
    const event = await verifyWebhook({ payload, headers, secret: SECRET, now: NOW });
    assert.deepEqual([event.type, event.id], [type, headers['webhook-id']]);
    if (event.type === 'refund.completed') assert.ok(event.data.refund.amount > 0);
    else if (event.type === 'webhook_endpoint.disabled') assert.equal(event.data.endpoint.state, 'disabled');
    else if (event.type !== 'webhook.test') {
      const { change, transaction } = event.data;
      assert.equal(transaction.state, change.to);
      if (type === `transaction.${change.to}`) assert.notEqual(change.from, change.to);
    }
  }
  assert.throws(() => testEvent('transaction.lost' as never), { code: 'invalid_argument' });
  assert.throws(() => testEvent('constructor' as never), { code: 'invalid_argument' });
  await assert.rejects(signTestEvent({ secret: [], type: 'webhook.test' }), { code: 'invalid_argument' });
});
