// Tests that errors explain what happened and in which call. Errors and the client never show the secret key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Sliproad, SliproadApiError, SliproadError, SliproadUnexpectedAnswerError } from '../src/index.ts';
import { ACCEPTED, BUY, clientOf, json, refuse, SECRET_KEY, startPlaying } from './support/playing-server.ts';

const server = await startPlaying();
const sliproad = clientOf(server, { maxRetries: 0 });

async function failureOf(work: Promise<unknown>): Promise<SliproadError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof SliproadError, inspect(error));
  return error;
}

function everythingOf(value: unknown): string {
  const own = value instanceof Error ? [value.stack, value.message, String(value.cause)] : [];
  return [inspect(value, { depth: 10, showHidden: true }), JSON.stringify(value), String(value), ...own].join(
    '\n',
  );
}

test('a refusal contains its status, code, fields, request id and retry delay', async () => {
  server.play(refuse(422, 'amount_below_minimum', { 'retry-after': '3' }));
  const error = await failureOf(sliproad.buy(BUY));
  assert.ok(error instanceof SliproadApiError);
  const { name, message, status, code, errors, requestId, retryAfterMs } = error;
  assert.deepEqual(
    { name, message, status, code, errors, requestId, retryAfterMs },
    {
      name: 'SliproadApiError',
      message: 'Refused: amount_below_minimum.',
      status: 422,
      code: 'amount_below_minimum',
      errors: [{ field: 'amount', code: 'amount_below_minimum', message: 'amount: amount_below_minimum' }],
      requestId: 'req_1',
      retryAfterMs: 3000,
    },
  );
});

test('a response that does not come from Sliproad throws SliproadUnexpectedAnswerError', async () => {
  const plays = [
    json(200, { hello: 'world' }),
    json(404, { detail: 'no such page' }),
    (_: unknown, response: { writeHead(status: number): { end(text: string): void } }) =>
      response.writeHead(502).end('<html>Bad gateway</html>'),
    (_: unknown, response: { writeHead(status: number): { end(text: string): void } }) =>
      response.writeHead(200).end('<html>Sign in to the hotel</html>'),
  ];
  for (const play of plays) {
    server.play(play);
    const error = await failureOf(sliproad.transactions.get('txn_1'));
    assert.ok(error instanceof SliproadUnexpectedAnswerError, inspect(error));
    assert.equal(error.code, 'unexpected_answer');
  }
});

test('a redirect is not followed, because it would send the key to another address', async () => {
  const elsewhere = await startPlaying();
  elsewhere.play(ACCEPTED);
  for (const status of [301, 302, 307, 308]) {
    server.play(json(status, {}, { location: `${elsewhere.baseUrl}/transactions/v1/onramp` }));
    const error = await failureOf(sliproad.buy(BUY));
    assert.match(error.message, /redirect/);
  }
  assert.equal(elsewhere.seen.length, 0);
});

test('the secret key is in no error and in no printed form of the client', async () => {
  const shown = [everythingOf(sliproad), everythingOf(Object.entries(sliproad))];
  const echo = {
    status: 'error',
    message: `wrong key ${SECRET_KEY}`,
    code: 'unauthorized',
    errors: [{ field: SECRET_KEY.slice(0, 3), code: 'x', message: SECRET_KEY }],
    request_id: 'r',
  };
  server.play(json(401, echo));
  shown.push(everythingOf(await failureOf(sliproad.vendors())));
  server.play((seen, response) => void response.writeHead(500).end(JSON.stringify(seen.headers)));
  shown.push(everythingOf(await failureOf(sliproad.vendors())));
  const angry = async (_url: unknown, init?: { headers?: unknown }) => {
    throw Object.assign(new TypeError(`cannot send ${JSON.stringify(init?.headers)}`), {
      request: init,
      cause: new Error(SECRET_KEY),
    });
  };
  shown.push(
    everythingOf(
      await failureOf(clientOf(server, { maxRetries: 0, fetch: angry as typeof fetch }).vendors()),
    ),
  );
  for (const text of shown) assert.ok(!text.includes(SECRET_KEY), text);
  // This key is not valid in a header, and the runtime's own error would show it.
  const made = () =>
    new Sliproad({ secretKey: `${SECRET_KEY}\n`, baseUrl: server.baseUrl, businessId: 'b', linkTag: 't' });
  assert.throws(made, (error) => error instanceof SliproadError && !everythingOf(error).includes(SECRET_KEY));
});

test('wrong options are refused when the client is created', () => {
  const right = {
    secretKey: 'sk_test_1',
    baseUrl: 'https://sliproad.example/',
    businessId: 'biz_1',
    linkTag: 'acme',
  };
  const wrong: readonly [string, unknown][] = [
    ['secretKey', undefined],
    ['secretKey', ''],
    ['baseUrl', undefined],
    ['baseUrl', 'sliproad.example'],
    ['baseUrl', 'ftp://sliproad.example'],
    ['baseUrl', 'https://user:password@sliproad.example'],
    ['baseUrl', 'https://sliproad.example?key=1'],
    ['otcBaseUrl', 'x'],
    ['businessId', ''],
    ['linkTag', undefined],
    ['secretKeyHeader', 'svc sec key'],
    ['timeoutMs', 0],
    ['timeoutMs', Number.NaN],
    ['maxRetries', -1],
    ['maxRetries', 1.5],
    ['fetch', 'fetch'],
  ];
  assert.ok(new Sliproad(right));
  for (const [field, value] of wrong) {
    const options = { ...right, [field]: value } as typeof right;
    assert.throws(
      () => new Sliproad(options),
      (error) =>
        error instanceof SliproadError && error.errors[0]?.field === field && error.message.includes(field),
    );
  }
  assert.throws(() => new Sliproad(undefined as never), { code: 'invalid_argument' });
});

test('the error of otcBuy without otcBaseUrl names the missing option', async () => {
  await assert.rejects(clientOf(server, { otcBaseUrl: undefined }).rates.otcBuy(), /otcBaseUrl/);
});
