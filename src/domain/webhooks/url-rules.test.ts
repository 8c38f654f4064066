// Tests which URLs a webhook endpoint may have. The rules check the URL that the service will contact, and the message says
// what to change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkWebhookUrl, type UrlRules } from './url-rules.ts';

const LIVE: UrlRules = { mode: 'live', allowsLoopback: true };
const TEST: UrlRules = { mode: 'test', allowsLoopback: false };
const LOCAL: UrlRules = { mode: 'test', allowsLoopback: true };

function problem(text: string, rules: UrlRules): string {
  const checked = checkWebhookUrl(text, rules);
  assert.ok(!checked.ok, `${JSON.stringify(text)} was accepted`);
  assert.equal(checked.error.code, 'url_invalid');
  return checked.error.message;
}

const GOOD: readonly (readonly [string, UrlRules, string])[] = [
  ['https://Example.com', LIVE, 'https://example.com/'],
  ['HTTPS://example.com:443/hooks?a=1&b=%20#part', LIVE, 'https://example.com/hooks?a=1&b=%20'],
  ['https://müller.example/', LIVE, 'https://xn--mller-kva.example/'],
  ['https://8.8.8.8/x', LIVE, 'https://8.8.8.8/x'],
  ['https://[2606:4700::1111]/x', LIVE, 'https://[2606:4700::1111]/x'],
  ['https://example.com/a@b', LIVE, 'https://example.com/a@b'],
  ['http://example.com/', TEST, 'http://example.com/'],
  ['http://example.com:1024/', TEST, 'http://example.com:1024/'],
  ['https://example.com:80/', TEST, 'https://example.com:80/'],
  ['https://example.com:65535/', TEST, 'https://example.com:65535/'],
  ['https://example.com?x', TEST, 'https://example.com/?x'],
  ['http://localhost:3000/hooks', LOCAL, 'http://localhost:3000/hooks'],
  ['http://app.localhost:3000/', LOCAL, 'http://app.localhost:3000/'],
  ['https://internal.example.com/', LIVE, 'https://internal.example.com/'],
];

test('valid URLs are accepted and normalised', () => {
  for (const [text, rules, normal] of GOOD)
    assert.deepEqual(checkWebhookUrl(text, rules), { ok: true, value: normal });
});

const BAD: readonly (readonly [RegExp, UrlRules, readonly string[]])[] = [
  [/https:\/\/ in live mode/, LIVE, ['http://example.com', 'http://example.com:443', 'http://8.8.8.8']],
  [
    /in live mode use port 443/,
    LIVE,
    ['https://example.com:8443', 'https://example.com:80', 'https://a.b:0'],
  ],
  [
    /use 80, 443 or a port/,
    TEST,
    ['http://example.com:22', 'http://example.com:1023', 'https://example.com:0'],
  ],
  [/user name or password/, TEST, ['http://a@example.com', 'http://a:b@example.com', 'http://@example.com']],
  [/user name or password/, TEST, ['http://example.com@127.0.0.1', 'http://example.com:80@[::1]/']],
  [
    /localhost/,
    TEST,
    ['http://localhost', 'http://LOCALHOST:3000', 'http://a.localhost', 'http://loc\u00adalhost'],
  ],
  [/localhost/, LIVE, ['https://localhost', 'https://hooks.localhost']],
  [
    /ends with a dot/,
    LOCAL,
    ['http://localhost.', 'http://example.com.', 'http://metadata.google.internal.'],
  ],
  [/internal network/, LOCAL, ['http://internal', 'http://db.internal', 'http://metadata.google.internal']],
  [/internal network/, LOCAL, ['http://metadata', 'http://METADATA.azure.com', 'http://instance-data']],
  [/are converted to others/, LOCAL, ['http://127\u30020\u30020\u30021', 'http://127\uff0e0\uff0e0\uff0e1']],
  [
    /are converted to others/,
    LOCAL,
    ['http://127\uff610.0.1', 'http://example\u3002com', 'http://\u2460\u2461\u2466.0.0.1'],
  ],
  [
    /are converted to others/,
    LOCAL,
    ['http://\uff11\uff12\uff17.0.0.1', 'http://\uff4cocalhost', 'http://127%2e0.0.1'],
  ],
  [
    /space, a backslash/,
    TEST,
    [' http://example.com', 'http://exa\nmple.com', 'http:\\\\example.com', 'http://a b.c'],
  ],
  [
    /space, a backslash/,
    TEST,
    ['http://example.com/\t', 'http://example.com\\@evil.example', 'http://a\u0000.b'],
  ],
  [/not a web address/, TEST, ['', 'example.com', '//example.com', 'http:example.com', 'http:/example.com']],
  [
    /not a web address/,
    TEST,
    ['http://', 'http:///example.com', 'http://:80', 'http://?x', 'http://[fe80::1%25eth0]/'],
  ],
  [
    /not a web address/,
    TEST,
    ['ftp://example.com', 'file:///etc/passwd', 'unix:/var/run/docker.sock', 'gopher://a.b'],
  ],
  [
    /not a web address/,
    TEST,
    ['javascript:alert(1)', 'http+unix://%2Fvar%2Frun%2Fdocker.sock/x', 'ws://example.com'],
  ],
  [
    /not a web address/,
    TEST,
    ['http://example.com:99999', 'http://[::1', 'http://256.256.256.256', 'http://1.2.3.4.5'],
  ],
  [/longer than 2048/, TEST, [`http://example.com/${'a'.repeat(2_048)}`]],
];

test('threat 72: invalid URLs are refused, and the message says what to change', () => {
  for (const [message, rules, texts] of BAD)
    for (const text of texts) assert.match(problem(text, rules), message, JSON.stringify(text));
});

test('threat 72: an address in any notation is checked in its plain form', () => {
  const seen: string[] = [];
  const judge = (ip: string) => {
    seen.push(ip);
    return 'refused' as const;
  };
  const texts = ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]', '[0:0::1]', '0'];
  for (const text of texts) assert.match(problem(`http://${text}/`, { ...TEST, judge }), /not public/);
  assert.deepEqual(seen, [...Array(4).fill('127.0.0.1'), '::ffff:7f00:1', '::1', '0.0.0.0']);
  assert.ok(checkWebhookUrl('http://10.0.0.1/', { ...TEST, judge: () => 'allowed' }).ok);
});
