// Tests the message about a provider that gave no response. It contains the host and the reason, and no other part of the URL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { providerFailureOf } from './failures.ts';

const HOST = 'one.example';
const ADDRESS = `https://${HOST}/v2/secret`;
const refused = (code: number, data?: unknown) =>
  providerFailureOf(
    'eth_call',
    HOST,
    new RpcRequestError({
      body: { method: 'eth_call' },
      error: { code, data, message: 'secret' },
      url: ADDRESS,
    }),
  );

test('an error code counts as a response of the node, unless it is an HTTP status from a proxy', () => {
  for (const [code, answered] of [
    [-32_000, true],
    [3, true],
    [399, true],
    [400, false],
    [429, false],
    [599, false],
    [600, true],
  ] as const) {
    const failure = refused(code);
    assert.deepEqual(
      [failure.answered, failure.code, failure.message],
      [answered, code, `eth_call: error ${code}`],
    );
  }
});

test('a revert is recognised by its error code or by its data', () => {
  for (const failure of [refused(3), refused(-32_015), refused(-32_000, '0x08c379a0')])
    assert.equal(failure.reverted, true);
  for (const failure of [refused(-32_000), refused(-32_000, 'reverted')])
    assert.equal(failure.reverted, false);
});

test('an unreachable provider counts as not answered, and the message contains the host and the reason but no secret', () => {
  const http = (status: number) => new HttpRequestError({ url: ADDRESS, status });
  const coded = (code: string) =>
    new Error('secret', { cause: Object.assign(new Error('secret'), { code }) });
  for (const [error, said] of [
    [http(503), `${HOST} answered HTTP 503`],
    [http(401), `${HOST} answered HTTP 401 (usually a wrong key)`],
    [new TimeoutError({ body: {}, url: ADDRESS }), `${HOST} gave no answer in time`],
    [coded('ECONNREFUSED'), `could not reach ${HOST}: it refused the connection (ECONNREFUSED)`],
    [
      coded('CERT_HAS_EXPIRED'),
      `could not reach ${HOST}: its certificate is not accepted (CERT_HAS_EXPIRED)`,
    ],
    [coded('EPIPE'), `could not reach ${HOST}: no connection (EPIPE)`],
    [undefined, `${HOST} gave an unreadable answer`],
  ] as const) {
    const failure = providerFailureOf('eth_call', HOST, error);
    assert.deepEqual([failure.answered, failure.message], [false, `eth_call: ${said}`]);
  }
});
