// The first pages for people: complete, under a policy that allows files of this service alone, with nothing inline.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';

const service = await startTestService();

test('each page allows scripts and styles of this service alone, and all that it names is served', async () => {
  for (const name of ['sign-in', 'invitation', 'reset-password', 'mails']) {
    const page = await service.get(`/app/${name}`, { key: null });
    assert.equal(page.status, 200, name);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
    assert.ok(!policy.includes('unsafe') && policy.includes("frame-ancestors 'none'"));
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.ok(!/<script(?![^>]*src=)| style=| on\w+=/.test(page.text), 'nothing inline');
    const named = [...page.text.matchAll(/(?:src|href)="(\/app\/static\/[^"]+)"/g)].map(([, path]) => path!);
    assert.equal(named.length, 2);
    for (const path of named) {
      const file = await service.get(path, { key: null });
      assert.equal(file.status, 200, path);
      for (const [, other] of file.text.matchAll(/from '\.\/([\w.-]+)'/g))
        assert.equal((await service.get(`/app/static/${other}`, { key: null })).status, 200, other);
    }
  }
  assert.equal((await service.get('/app/static/nothing.js', { key: null })).status, 404);
});
