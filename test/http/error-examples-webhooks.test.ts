// Tests that every error example of the events and webhooks routes equals the response of that route. The test makes each
// mistake on the route itself. The service has its own database server, so it contacts no address of this machine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStream } from '../support/event-stream.ts';
import type { Answer, CallOptions } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import {
  assertInSource,
  assertNoneLeft,
  type InSource,
  isAboutEvents,
  type Mistake,
  readExamples,
  testMistakes,
} from './example-checks.ts';
import { send } from './helpers.ts';

const service = await sharedTestService();
const { business } = service;
const examples = new Map([...(await readExamples(service))].filter(([, each]) => isAboutEvents(each)));

const ENDPOINTS = '/webhooks/v1/endpoints';
const DELIVERIES = '/webhooks/v1/deliveries';
const LIMIT = 100;
const URL_A = 'https://hooks.invalid/a';
const PLAIN_URL = 'http://hooks.invalid/a';
const WRONG_TYPE_OF_EVENT = 'transaction.complete';
const RANGE = { from: '2026-11-14T09:00:00Z', to: '2026-11-14T10:00:00Z' };
const SINCE = { since: RANGE.from };
const live = { key: business.liveKey };

const add = (changes: object, options: CallOptions = {}) =>
  service.post(ENDPOINTS, { url: URL_A, ...changes }, options);
const added = async (options: CallOptions = {}): Promise<string> => {
  const answer = await add({}, options);
  assert.equal(answer.status, 200, answer.text);
  return `${ENDPOINTS}/${answer.body.endpoint.id}`;
};
const change = (at: string, changes: object, key = business.testKey) =>
  send(service, 'PATCH', at, {
    ...{ key, headers: { 'content-type': 'application/json' } },
    body: Buffer.from(JSON.stringify(changes)),
  });
const remove = (at: string) => send(service, 'DELETE', at);

const endpoint = await added();
const liveEndpoint = await added(live);
const none = `${ENDPOINTS}/whe_${'0'.repeat(26)}`;
const noDelivery = `${DELIVERIES}/whd_${'0'.repeat(26)}`;
const disabled = await added();
const { delivery } = (await service.post(`${disabled}/test`, {})).body;
await change(disabled, { state: 'disabled' });

/** Returns only the refusal. If a stream has begun, this function closes it, because a stream does not end. */
const stream = async (at: string, lastEventId?: string): Promise<Pick<Answer, 'body'>> => {
  const opened = await openStream(`${service.baseUrl}${at}`, {
    key: business.testKey,
    ...(lastEventId !== undefined && { lastEventId }),
  });
  opened.close();
  assert.notEqual(opened.status, 200, 'a stream began');
  return { body: JSON.parse(opened.text) };
};
const EVENTS_OF_NONE = `/transactions/v1/txn_${'0'.repeat(26)}/events`;

const forFields = (name: string, submit: (changes: object) => Promise<Answer>): Mistake[] => [
  [`${name} wrong_type`, () => submit({ url: 5 })],
  [`${name} event_type_unknown`, () => submit({ events: [WRONG_TYPE_OF_EVENT] })],
  [`${name} text_invalid`, () => submit({ description: 'a\u0007b' })],
  [`${name} too_long`, () => submit({ description: 'x'.repeat(201) })],
];

const forStreams = (name: string, at: string): Mistake[] => [
  [`${name} filter_invalid`, () => stream(`${at}?type=${WRONG_TYPE_OF_EVENT}`)],
  [`${name} cursor_invalid`, () => stream(at, 'x')],
];

const MISTAKES: readonly Mistake[] = [
  ['listEvents filter_invalid', () => service.get('/events/v1?limit=0')],
  ['listEvents cursor_invalid', () => service.get('/events/v1?cursor=x')],
  ...forStreams('streamEvents', '/events/v1/stream'),
  ...forStreams('streamTransactionEvents', EVENTS_OF_NONE),
  ['streamTransactionEvents transaction_not_found', () => stream(EVENTS_OF_NONE)],
  ...forFields('addWebhookEndpoint', (changes) => add(changes)),
  ['addWebhookEndpoint required', () => add({ url: undefined })],
  ['addWebhookEndpoint url_invalid', () => add({ url: PLAIN_URL }, live)],
  [
    'addWebhookEndpoint endpoint_not_found',
    async () => {
      const options = { headers: { 'idempotency-key': 'added-and-deleted' } };
      await remove(await added(options));
      return add({}, options);
    },
  ],
  [
    'addWebhookEndpoint endpoint_limit_reached',
    async () => {
      const { testKey: key } = await service.addBusiness('many-endpoints');
      for (let count = 0; count < LIMIT; count++) await added({ key });
      return add({}, { key });
    },
  ],
  ['getWebhookEndpoint endpoint_not_found', () => service.get(none)],
  ...forFields('changeWebhookEndpoint', (changes) => change(endpoint, changes)),
  ['changeWebhookEndpoint url_invalid', () => change(liveEndpoint, { url: PLAIN_URL }, business.liveKey)],
  ['changeWebhookEndpoint state_invalid', () => change(endpoint, { state: 'off' })],
  ['changeWebhookEndpoint endpoint_not_found', () => change(none, { state: 'enabled' })],
  ['deleteWebhookEndpoint endpoint_not_found', () => remove(none)],
  ['rotateWebhookKeys wrong_type', () => service.post(`${endpoint}/rotate`, { overlap_hours: '24' })],
  ['rotateWebhookKeys overlap_invalid', () => service.post(`${endpoint}/rotate`, { overlap_hours: 169 })],
  ['rotateWebhookKeys endpoint_not_found', () => service.post(`${none}/rotate`, {})],
  ['testWebhookEndpoint wrong_type', () => service.post(`${endpoint}/test`, { type: 5 })],
  [
    'testWebhookEndpoint event_type_unknown',
    () => service.post(`${endpoint}/test`, { type: WRONG_TYPE_OF_EVENT }),
  ],
  ['testWebhookEndpoint endpoint_not_found', () => service.post(`${none}/test`, {})],
  ['testWebhookEndpoint endpoint_disabled', () => service.post(`${disabled}/test`, {})],
  ['listWebhookDeliveries endpoint_not_found', () => service.get(`${none}/deliveries`)],
  ['listWebhookDeliveries filter_invalid', () => service.get(`${endpoint}/deliveries?limit=0`)],
  ['listWebhookDeliveries cursor_invalid', () => service.get(`${endpoint}/deliveries?cursor=x`)],
  ['getWebhookDelivery delivery_not_found', () => service.get(noDelivery)],
  ['redeliverWebhook delivery_not_found', () => service.post(`${noDelivery}/redeliver`, undefined)],
  [
    'redeliverWebhook endpoint_disabled',
    () => service.post(`${DELIVERIES}/${delivery.id}/redeliver`, undefined),
  ],
  ['redeliverWebhookRange required', () => range({ from: undefined })],
  ['redeliverWebhookRange wrong_type', () => range({ from: 5 })],
  ['redeliverWebhookRange filter_invalid', () => range({ from: 'yesterday' })],
  ['redeliverWebhookRange event_type_unknown', () => range({ events: [WRONG_TYPE_OF_EVENT] })],
  ['redeliverWebhookRange too_long', () => range({ events: Array(51).fill('transaction.completed') })],
  ['redeliverWebhookRange cursor_invalid', () => range({ cursor: 'x' })],
  ['redeliverWebhookRange endpoint_not_found', () => range({}, none)],
  ['redeliverWebhookRange endpoint_disabled', () => range({}, disabled)],
  ['recoverWebhooks required', () => recover({ since: undefined })],
  ['recoverWebhooks wrong_type', () => recover({ since: 5 })],
  ['recoverWebhooks filter_invalid', () => recover({ since: 'yesterday' })],
  ['recoverWebhooks cursor_invalid', () => recover({ cursor: 'x' })],
  ['recoverWebhooks endpoint_not_found', () => recover({}, none)],
  ['recoverWebhooks endpoint_disabled', () => recover({}, disabled)],
];

function range(changes: object, at = endpoint): Promise<Answer> {
  return service.post(`${at}/redeliver`, { ...RANGE, ...changes });
}

function recover(changes: object, at = endpoint): Promise<Answer> {
  return service.post(`${at}/recover`, { ...SINCE, ...changes });
}

testMistakes(examples, MISTAKES);

/** This happens if the endpoint is deleted during the request, after the service read the delivery. */
const IN_SOURCE: readonly InSource[] = [
  [
    'redeliverWebhook endpoint_not_found',
    'app/webhooks/webhook-deps.ts',
    [
      'There is no such webhook endpoint. Check its id, and that the key belongs to the same business and mode.',
    ],
  ],
];

test('the example that no request in this test causes has the text of the source', () => {
  assertInSource(examples, IN_SOURCE);
});

test('every example of the events and webhooks routes is covered', () => {
  assertNoneLeft(
    examples,
    [...MISTAKES, ...IN_SOURCE].map(([name]) => name),
  );
});
