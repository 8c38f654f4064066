// Tests where the page at /docs may send requests, and which pages may read responses of the OTC port. The service never uses a
// host name that a request invents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMainOrigin, otcBaseUrlFor, type ReferenceOrigins } from './reference-origins.ts';

const LOCAL: ReferenceOrigins = {
  main: 'http://127.0.0.1:4000',
  otc: 'http://127.0.0.1:4001',
  port: 4000,
  otcPort: 4001,
  scheme: 'http',
  anyName: true,
};
const PUBLIC: ReferenceOrigins = {
  ...LOCAL,
  main: 'https://api.example.com',
  otc: 'https://otc.example.com/base',
  anyName: false,
};

test('the OTC port is called under the host name of the page, or at its public address', () => {
  for (const [origins, host, expected] of [
    [LOCAL, '127.0.0.1:4000', 'http://127.0.0.1:4001'],
    [LOCAL, 'localhost:4000', 'http://localhost:4001'],
    [LOCAL, 'LOCALHOST', 'http://localhost:4001'],
    [LOCAL, '[::1]:4000', 'http://[::1]:4001'],
    [LOCAL, 'box.lan:8080', 'http://box.lan:4001'],
    [LOCAL, undefined, 'http://127.0.0.1:4001'],
    [PUBLIC, 'api.example.com', 'https://otc.example.com/base'],
    [PUBLIC, 'localhost:4000', 'http://localhost:4001'],
    [PUBLIC, 'evil.example', 'https://otc.example.com/base'],
    [{ ...LOCAL, scheme: 'https', otcPort: 443 }, 'box.lan', 'https://box.lan'],
  ] as const) {
    assert.equal(otcBaseUrlFor(origins, host), expected, host);
  }
});

test('a Host header that is not a host name never gets into a content security policy', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.string().map((text) => `localhost${text}`),
    fc.constantFrom(
      'a b',
      "x; script-src 'unsafe-inline'",
      '*',
      '*.com',
      'x,y',
      "'self'",
      'x/y',
      'a@b',
      'x:1:2',
      '[::1',
      'a..b',
    ),
  );
  fc.assert(
    fc.property(hostile, (host) => {
      assert.match(otcBaseUrlFor(LOCAL, host), /^http:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\]):4001$/);
      assert.match(
        otcBaseUrlFor(PUBLIC, host),
        /^(https:\/\/otc\.example\.com\/base|http:\/\/(localhost|127[\d.]+|\[::1\]):4001)$/,
      );
    }),
  );
});

test('only a page of the main port under the same host name may read a response of the OTC port', () => {
  for (const [origins, origin, host, expected] of [
    [LOCAL, 'http://localhost:4000', 'localhost:4001', true],
    [LOCAL, 'http://127.0.0.1:4000', '127.0.0.1:4001', true],
    [LOCAL, 'http://localhost:4000', '127.0.0.1:4001', false],
    [LOCAL, 'http://localhost:3000', 'localhost:4001', false],
    [LOCAL, 'https://localhost:4000', 'localhost:4001', false],
    [LOCAL, 'http://evil.example:4000', 'localhost:4001', false],
    [LOCAL, 'null', 'localhost:4001', false],
    [LOCAL, undefined, 'localhost:4001', false],
    [PUBLIC, 'https://api.example.com', 'otc.example.com', true],
    [PUBLIC, 'https://api.example.com.evil.example', 'otc.example.com', false],
    [PUBLIC, 'http://otc.example.com:4000', 'otc.example.com', false],
    [PUBLIC, 'http://localhost:4000', 'localhost:4001', true],
  ] as const) {
    assert.equal(isMainOrigin(origins, origin, host), expected, `${origin} → ${host}`);
  }
});
