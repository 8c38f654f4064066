// Threats 8 to 12: bodies that are too large, not JSON, not UTF-8 or of the wrong type get a clear 4xx.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyBody } from '../support/service.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';
import { assertRefused, ONRAMP, parseRawAnswer, rawExchange, send, storingNothing } from './helpers.ts';

const service = await sharedTestService();
const { business } = service;
const good = JSON.stringify(buyBody(business));
const json = { 'content-type': 'application/json' };

async function refuses(body: string | Uint8Array<ArrayBuffer>, status: number, code: string, headers = json) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const answer = await storingNothing(service, () => send(service, 'POST', ONRAMP, { headers, body: bytes }));
  assertRefused(answer, status, code);
  return answer;
}

test('threat 8: a duplicate member is refused, even if it is escaped or has an equal value', async () => {
  const doubled = [
    good.replace('{', '{"amount":15000,'),
    good.replace('{', '{"amount":1500000,'),
    good.replace('{', '{"\\u0061mount":15000,'),
    good.replace('{', '{"amoun\\u0074":99999,'),
    good.replace('}', ',"extra":1,"extra":1}'),
    good.replace('}', ',"nested":{"a":[{"b":1,"b":1}]}}'),
  ];
  for (const body of doubled) {
    const answer = await refuses(body, 400, 'invalid_json');
    assert.match(answer.body.message, /duplicate key "(amount|extra|b)"/);
  }
});

test('threat 9: __proto__ is refused at every depth, and constructor does not pollute prototypes', async () => {
  for (const body of [
    good.replace('}', ',"__proto__":{"state":"completed"}}'),
    good.replace('}', ',"\\u005f_proto__":{"state":"completed"}}'),
    good.replace('}', ',"x":[{"__proto__":null}]}'),
  ]) {
    const answer = await refuses(body, 400, 'invalid_json');
    assert.match(answer.body.message, /__proto__/);
  }
  const odd = '"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":null,"valueOf":[]';
  const accepted = await service.post(ONRAMP, good.replace('}', `,${odd}}`));
  assert.equal(accepted.status, 200);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
  assert.equal(typeof {}.toString, 'function');
});

test('threat 9: members of Object.prototype do not count as submitted fields', async () => {
  const answer = await refuses('{"constructor":{},"__defineGetter__":1}', 400, 'required');
  assert.equal(answer.body.errors.length, 9);
});

test('threat 10: 10,000 levels of nesting are refused, and the process continues to run', async () => {
  const deep = 10_000;
  for (const nested of [
    `${'['.repeat(deep)}${']'.repeat(deep)}`,
    '['.repeat(deep),
    `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
  ]) {
    await refuses(nested, 400, 'invalid_json');
    await refuses(good.replace('}', `,"x":${nested}}`), 400, 'invalid_json');
  }
  assert.equal((await service.get('/health')).status, 200);
});

test('threat 11: a body over the limit is refused because of its Content-Length, before it is sent', async () => {
  const head = `POST ${ONRAMP} HTTP/1.1\r\nhost: x\r\nsvc-sec-key: ${business.testKey}\r\ncontent-type: application/json\r\n`;
  const announced = await storingNothing(service, () =>
    rawExchange(service.baseUrl, `${head}content-length: 99999999999\r\nconnection: close\r\n\r\n{`),
  );
  assertRefused(parseRawAnswer(announced), 413, 'body_too_large');
});

test('threat 11: a chunked body is refused once it exceeds the limit', async () => {
  const head = `POST ${ONRAMP} HTTP/1.1\r\nhost: x\r\nsvc-sec-key: ${business.testKey}\r\ncontent-type: application/json\r\n`;
  const chunk = `8000\r\n${' '.repeat(0x8000)}\r\n`;
  const answer = await storingNothing(service, () =>
    rawExchange(service.baseUrl, [
      `${head}transfer-encoding: chunked\r\nconnection: close\r\n\r\n`,
      chunk,
      chunk,
      chunk,
    ]),
  );
  assertRefused(parseRawAnswer(answer), 413, 'body_too_large');
});

test('threat 11: the limit can be configured, and a body of exactly that size is accepted', async () => {
  const limit = 65_536;
  const padded = (length: number) => good.padEnd(length, ' ');
  assert.equal((await service.post(ONRAMP, padded(limit))).status, 200);
  await refuses(padded(limit + 1), 413, 'body_too_large');
});

test('threat 12: another content type, or a missing one, is refused', async () => {
  for (const type of [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-patch+json',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'json',
    'application/json, text/plain',
  ]) {
    await refuses(good, 415, 'unsupported_media_type', { 'content-type': type });
  }
  await refuses(good, 415, 'unsupported_media_type', {} as typeof json);
});

test('threat 12: another charset is refused; UTF-8 in any spelling is accepted', async () => {
  for (const charset of ['utf-16', 'UTF-16LE', 'iso-8859-1', '"utf-16"', 'ascii']) {
    const type = `application/json; charset=${charset}`;
    await refuses(Buffer.from(good), 415, 'unsupported_media_type', { 'content-type': type });
  }
  await refuses(Buffer.from(good, 'utf16le'), 400, 'invalid_json');
  for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8']) {
    const headers = { 'content-type': `application/json; charset=${charset}` };
    const answer = await send(service, 'POST', ONRAMP, { headers, body: Buffer.from(good) });
    assert.equal(answer.status, 200, charset);
  }
});

test('threat 12: a byte order mark and bytes that are not UTF-8 are refused', async () => {
  await refuses(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(good)]), 400, 'invalid_json');
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82]]) {
    const [start, end] = good.split('GTBank') as [string, string];
    const body = Buffer.concat([Buffer.from(start), Buffer.from(bytes), Buffer.from(end)]);
    await refuses(body, 400, 'invalid_json');
  }
});

test('a body that is absent, empty, not an object or not JSON is refused', async () => {
  assertRefused(await send(service, 'POST', ONRAMP), 400, 'invalid_body');
  await refuses('', 400, 'invalid_body');
  for (const body of ['[]', `[${good}]`, 'null', '15000', '"text"', 'true']) {
    await refuses(body, 400, 'invalid_body');
  }
  for (const body of [
    ' ',
    '{',
    '{}}',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '{"a":1}//',
    '{"a":\t"\t"}',
    'undefined',
  ]) {
    await refuses(body, 400, 'invalid_json');
  }
  await refuses('{}', 400, 'required');
});
