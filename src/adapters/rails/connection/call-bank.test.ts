// Tests one call to a bank: whether the request was sent, the limits of the call, and that no failure reason contains a secret.
import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { cut, type Play, playBank, silence } from '../../../../test/support/banks/played-bank.ts';
import { limitMs, longEnough } from '../../../../test/support/patience.ts';
import { callBank } from './call-bank.ts';

const LIMITS = { timeoutMs: limitMs('answer'), mostBytes: 1_000 };
const SECRET = 'sk_live_secret';
const POST = 'P'.charCodeAt(0);

async function calling(play: Play, limits = LIMITS) {
  await using bank = await playBank(() => play);
  const answer = await callBank(
    {
      method: 'POST',
      url: `${bank.url}/pay/${SECRET}?key=${SECRET}`,
      headers: { authorization: SECRET },
      body: `{"key":"${SECRET}"}`,
    },
    limits,
  );
  return { answer, wasAsked: bank.asked.length > 0 };
}

async function reasonOf(play: Play): Promise<string> {
  return reasonIn((await calling(play)).answer);
}

function reasonIn(answer: Awaited<ReturnType<typeof callBank>>): string {
  assert.equal(answer.kind, 'lost');
  assert.ok(answer.kind === 'lost' && !answer.reason.includes(SECRET), JSON.stringify(answer));
  return answer.reason;
}

async function reasonWhenLate(play: Play, firstMs: number): Promise<readonly [reason: string, ms: number]> {
  return longEnough(firstMs, async (timeoutMs) => {
    const { answer, wasAsked } = await calling(play, { ...LIMITS, timeoutMs });
    return wasAsked ? ([reasonIn(answer), timeoutMs] as const) : undefined;
  });
}

test('a response with status 400 is returned with its JSON, and the body and the headers were sent', async () => {
  await using bank = await playBank(() => [400, { status: false }]);
  const call = {
    method: 'POST',
    url: `${bank.url}/a`,
    headers: { 'x-own': '1' },
    body: '{"amount":1}',
  } as const;
  const answer = await callBank(call, LIMITS);
  assert.ok(answer.kind === 'answer');
  assert.deepEqual([answer.status, answer.json], [400, { status: false }]);
  assert.deepEqual(bank.asked[0]!.body, { amount: 1 });
  assert.equal(bank.asked[0]!.headers['x-own'], '1');
  assert.equal(bank.asked[0]!.headers['content-type'], 'application/json');
});

test('threat 56: a request that may have arrived is `lost`: connection cut, no response, 5xx, too many requests, invalid or partial JSON', async () => {
  assert.match(await reasonOf(cut), /^127\.0\.0\.1:\d+: [A-Z_]+$/);
  const [late, limit] = await reasonWhenLate(silence, 200);
  assert.match(late, new RegExp(`did not answer within ${limit} ms$`));
  for (const status of [500, 502, 503, 504, 408, 429])
    assert.match(await reasonOf([status, { status: true }]), new RegExp(`status ${status}$`));
  assert.match(await reasonOf([200, '<html>']), /status 200, but without valid JSON/);
  assert.match(await reasonOf([200, '{"responseCode":"0']), /without valid JSON/);
  const half: Play = (answer) => {
    answer.writeHead(200, { 'content-length': 100 });
    answer.write('{"responseCode":"00"}');
    setTimeout(() => answer.socket?.destroy(), 20);
  };
  assert.match(await reasonOf(half), /^127\.0\.0\.1:\d+: /);
});

test('a redirect is not followed, and a response that is too large is not read', async () => {
  const redirect: Play = (answer) => {
    answer.writeHead(307, { location: '/elsewhere' });
    answer.end();
  };
  assert.match(await reasonOf(redirect), /a redirect, which is not followed/);
  assert.match(await reasonOf([200, { text: 'x'.repeat(2_000) }]), /too many bytes/);
  const drip: Play = (answer) => {
    answer.writeHead(200);
    for (let count = 0; count < 20; count++) answer.write('"'.repeat(100));
    answer.end();
  };
  assert.match(await reasonOf(drip), /too many bytes/);
});

test('a response that arrives slowly in small parts is stopped by the overall time limit', async () => {
  const slow: Play = (answer) => {
    answer.writeHead(200);
    const timer = setInterval(() => answer.write(' '), 30);
    answer.on('close', () => clearInterval(timer));
  };
  const [late, limit] = await reasonWhenLate(slow, 300);
  assert.match(late, new RegExp(`did not answer within ${limit} ms`));
});

test('a request is `not_sent` only if no connection was made: refused, unknown host name, or a TLS handshake that does not finish', async () => {
  // The test does not wait until this server is closed, because the connections that it accepted stay open.
  let requests = 0;
  const server = createServer((socket) =>
    socket.unref().on('data', (bytes) => {
      if (bytes[0] === POST) requests++;
    }),
  ).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const call = (url: string, timeoutMs = LIMITS.timeoutMs) =>
    callBank({ method: 'POST', url, headers: {}, body: '{}' }, { ...LIMITS, timeoutMs });
  // The server accepts connections but never answers the TLS handshake, so no byte of the request is sent.
  const handshake = await call(`https://127.0.0.1:${port}/`, 400);
  assert.deepEqual([handshake.kind], ['not_sent']);
  const unanswered = await longEnough(400, async (timeoutMs) => {
    const answer = await call(`http://127.0.0.1:${port}/`, timeoutMs);
    return requests === 0 ? undefined : answer;
  });
  assert.equal(unanswered.kind, 'lost');
  server.close();
  await using bank = await playBank(() => [200, {}]);
  const { url } = bank;
  await bank[Symbol.asyncDispose]();
  const refused = await call(url);
  assert.ok(refused.kind === 'not_sent');
  assert.match(refused.reason, /^no connection: 127\.0\.0\.1:\d+: ECONNREFUSED$/);
  assert.equal((await call('http://no-such-name.invalid/')).kind, 'not_sent');
});
