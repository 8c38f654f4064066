// Tests "Try it out" at /docs. The page may call its own origin and the OTC port, and the OTC port accepts calls from that page
// only. The service accepts the examples of an embedded sandbox unchanged.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { makeUsedHome } from '../support/embedded/used-home.ts';
import { startProcess } from '../support/process.ts';
import { sharedTestService } from '../support/sharing/shared-service.ts';

const service = await sharedTestService();

/** Sends a request with a custom host and origin, which fetch does not allow. */
function ask(
  url: string,
  headers: http.OutgoingHttpHeaders,
  method = 'GET',
): Promise<http.IncomingMessage & { text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(Object.assign(response, { text })));
    });
    request.on('error', reject).end();
  });
}

test('the content security policy of the page allows only its own origin and the OTC port under the same host name', async () => {
  for (const [host, otc] of [
    ['localhost:4000', 'http://localhost:4001'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4001'],
    ["x';script-src", 'http://127.0.0.1:4001'],
  ] as const) {
    for (const path of ['/docs', '/docs/']) {
      const page = await ask(`${service.baseUrl}${path}`, { host });
      const policy = String(page.headers['content-security-policy']);
      assert.match(policy, new RegExp(`; connect-src 'self' ${otc}$`));
      assert.ok(!policy.includes('script-src'));
    }
    const servers = await ask(`${service.baseUrl}/docs/servers.json`, { host });
    assert.deepEqual(JSON.parse(servers.text), { otc });
  }
});

test('in a browser, only the page of the main port can read responses of the OTC port, with or without a valid key', async () => {
  const url = `${service.otcBaseUrl}/otc/buy`;
  const host = 'localhost:4001';
  for (const [origin, allowed] of [
    ['http://localhost:4000', true],
    ['http://localhost:4002', false],
    ['http://evil.example', false],
  ] as const) {
    const preflight = await ask(
      url,
      {
        host,
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'svc-sec-key',
      },
      'OPTIONS',
    );
    assert.deepEqual([preflight.statusCode, preflight.text], [204, '']);
    assert.equal(preflight.headers['access-control-allow-headers'], 'svc-sec-key');
    const keyed = await ask(url, { host, origin, 'svc-sec-key': service.business.testKey });
    const keyless = await ask(url, { host, origin });
    assert.deepEqual([keyed.statusCode, keyless.statusCode], [200, 401]);
    for (const answer of [preflight, keyed, keyless]) {
      assert.equal(answer.headers['access-control-allow-origin'], allowed ? origin : undefined);
      assert.equal(answer.headers['access-control-allow-credentials'], undefined);
      assert.equal(answer.headers.vary, 'origin');
    }
  }
  const main = await ask(`${service.baseUrl}/transactions/v1/vendors`, { origin: 'http://localhost:4000' });
  assert.equal(main.headers['access-control-allow-origin'], undefined, 'the main port needs no other origin');
});

test('the examples that an embedded sandbox shows are accepted unchanged with its key', async (t) => {
  const running = await startProcess(t, { home: await makeUsedHome(t) });
  const { test_key: key, business_id: businessId } = running.sandbox();
  const { paths } = (await (await fetch(`${running.baseUrl}/openapi.json`)).json()) as {
    paths: Record<
      string,
      { post: { requestBody: { content: Record<string, { example: Record<string, unknown> }> } } }
    >;
  };
  for (const path of ['/transactions/v1/onramp', '/transactions/v1/offramp', '/sandbox/v1/bank-credits']) {
    const { example } = paths[path]!.post.requestBody.content['application/json']!;
    if (path !== '/sandbox/v1/bank-credits') assert.equal(example.business_id, businessId);
    const answer = await fetch(`${running.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'svc-sec-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(example),
    });
    assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
  }
});
