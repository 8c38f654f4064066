// Tests the dashboard as the service serves it: one page at every path under /app. Its content security policy allows only
// files of this service and styles with the nonce of that response.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedTestService } from '../../support/sharing/shared-service.ts';

const service = await sharedTestService();
const open = (path: string) => service.get(path, { key: null });

test('threat 78: the page allows only scripts of this service, and inline styles only with the nonce of its response', async () => {
  const nonces = new Set<string>();
  for (const path of ['/app', '/app/', '/app/sign-in', '/app/b/biz_none/test/transactions/txn_1?type=buy']) {
    const page = await open(path);
    assert.equal(page.status, 200, path);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    const [, nonce] = /style-src 'self' 'nonce-([\w-]{20,})'/.exec(policy) ?? [];
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src/);
    assert.ok(!policy.includes('unsafe') && policy.includes("frame-ancestors 'none'"), policy);
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(page.headers.get('x-frame-options'), 'DENY');
    assert.ok(page.text.includes(`nonce="${nonce}"`) && !page.text.includes('__CSP_NONCE__'));
    assert.ok(!/<script(?![^>]*src=)|<style| style=| on\w+=/.test(page.text), 'nothing inline');
    nonces.add(nonce!);
  }
  assert.equal(nonces.size, 4, 'each answer has a nonce of its own');
});

test('files that the page uses are served with their type, and assets may be cached permanently', async () => {
  const { text } = await open('/app');
  const named = [...text.matchAll(/(?:src|href)="(\/app\/[^"]+)"/g)].map(([, path]) => path!);
  assert.ok(named.length >= 3);
  for (const path of named) {
    const file = await open(path);
    assert.equal(file.status, 200, path);
    if (!path.startsWith('/app/assets/')) continue;
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.match(file.headers.get('content-type') ?? '', /^text\/(javascript|css); charset=utf-8$/);
  }
});

test('an unknown file, and every path outside of /app, gets the JSON 404', async () => {
  for (const path of ['/app/assets/gone-1.js', '/app/assets/', '/application', '/apps', '/application/x']) {
    const { status, body } = await open(path);
    assert.deepEqual([status, body.code], [404, 'not_found'], path);
  }
  const climbing = await open('/app/assets/..%2f..%2fpackage.json');
  assert.equal(climbing.status, 404);
  const { status } = await service.post('/app/sign-in', {});
  assert.equal(status, 405);
});
