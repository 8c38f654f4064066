// Tests hostile URLs and DNS responses against a canary server that listens on every interface of this machine. No request
// reaches the canary. If the same address is allowed, the request does arrive, which proves that the canary works.
import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { limitMs, longEnough } from '../../../test/support/patience.ts';
import {
  type Canary,
  onRequest,
  openCanary,
  openNameServer,
  openReceiver,
} from '../../../test/support/webhooks/receivers.ts';
import type { Mode } from '../../domain/values/mode.ts';
import type { WebhookOutcome } from '../../ports/webhooks.ts';
import { makeResolveHost } from './address-rules.ts';
import { makeWebhookSender } from './sender.ts';
import type { SenderSettings } from './sender-rules.ts';

/** The tests allow this address, but no machine has it. So a connection to it is allowed and fails. */
const DEAD = 'fd5b:a1f9:7d3c::1';
const DEAD_BYTES = [0xfd, 0x5b, 0xa1, 0xf9, 0x7d, 0x3c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
const SETTINGS: SenderSettings = {
  ...{ allowsLoopback: false, allowedSubnets: [`${DEAD}/128`], timeoutMs: limitMs('answer') },
};
const SHORT_MS = 900;

async function sendOnce(
  url: string,
  changes: Partial<SenderSettings> = {},
  mode: Mode = 'test',
): Promise<WebhookOutcome> {
  const sender = makeWebhookSender({ ...SETTINGS, ...changes });
  try {
    return await sender.send({ endpointId: 'whe_1', url, mode, headers: {}, body: '{}' });
  } finally {
    await sender.close();
  }
}

const isTimeout = (outcome: WebhookOutcome) => outcome.kind === 'failed' && outcome.problem === 'timeout';

async function isKeptOut(canary: Canary, sent: Promise<WebhookOutcome>, name: string): Promise<void> {
  const outcome = await sent;
  assert.equal(canary.visits(), 0, `${name} reached the canary`);
  assert.equal(outcome.kind, 'refused', `${name}: ${JSON.stringify(outcome)}`);
}

const LITERALS = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.255.255.254',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
  ],
  ...['0177.0.0.1', '0177.0.0x0.1', '0x7F.0.0.0x1', '127.0.0.1.', '0.0.0.0', '0', '00000000', '0x0'],
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001::1]'],
  ...[
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
  ],
  ...[
    '[::ffff:169.254.169.254]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '[fc00::1]',
    '[fe80::1]',
  ],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '[2001:db8::1]', '224.0.0.1', '[ff02::1]'],
  ...['255.255.255.255', '240.0.0.1', '[100::1]', '[5f00::1]', '[4000::1]', '192.0.0.192'],
];

const TEXTS = [
  ...[
    'http://localhost:PORT/',
    'http://localhost.:PORT/',
    'http://LOCALHOST:PORT/',
    'http://x.localhost:PORT/',
  ],
  ...['http://loc\u00adalhost:PORT/', 'http://\uff4cocalhost:PORT/', 'http://127\u30020\u30020\u30021:PORT/'],
  ...[
    'http://127\uff0e0\uff0e0\uff0e1:PORT/',
    'http://127%2e0%2e0%2e1:PORT/',
    'http://\u2460\u2461\u2466.0.0.1:PORT/',
  ],
  ...[
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://db.internal:PORT/',
    'http://example.com.:PORT/',
  ],
  ...[
    'http://user@127.0.0.1:PORT/',
    'http://user:word@localhost:PORT/',
    'http://example.com@127.0.0.1:PORT/',
  ],
  ...[
    'http://example.com:80@127.0.0.1:PORT/',
    'http://example.com\\@127.0.0.1:PORT/',
    'http://@127.0.0.1:PORT/',
  ],
  ...['http://[fe80::1%25lo]:PORT/', 'http://[::1%lo]:PORT/', 'http://:PORT/', 'http:///127.0.0.1:PORT/'],
  ...['http:127.0.0.1:PORT/', 'http:/127.0.0.1:PORT/', '//127.0.0.1:PORT/', '127.0.0.1:PORT', ''],
  ...[
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
  ],
  ...[
    'gopher://127.0.0.1:PORT/',
    'ws://127.0.0.1:PORT/',
    ' http://127.0.0.1:PORT/',
    'http://127.0.0.1\n:PORT/',
  ],
  ...[
    'http://example.com:22/',
    'http://example.com:25/',
    'http://example.com:0/',
    'http://example.com:99999/',
  ],
];

const DNS_ANSWERS: readonly (readonly string[])[] = [
  ...LITERALS.filter((each) => /^(?:\d+\.){3}\d+$/.test(each)).map((address) => [address]),
  ...[
    ['::1'],
    ['::'],
    ['::ffff:127.0.0.1'],
    ['fe80::1'],
    ['fd00:ec2::254'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
  ],
  ...[['::ffff:7f00:1'], ['fc00::1'], ['::127.0.0.1'], ['fe80::1%lo'], ['ff02::1'], ['2001:db8::1']],
  // These responses mix addresses. If one address is forbidden, at any position, the whole response is refused.
  ...[
    [DEAD, '127.0.0.1'],
    ['127.0.0.1', DEAD],
    [DEAD, '::1'],
    [DEAD, DEAD, DEAD, '127.0.0.1'],
    ['::1', DEAD],
  ],
  // These texts are not addresses, and Node would look them up again.
  ...[['localhost'], ['127.1'], ['']],
];

test(`threat 72: ${LITERALS.length} forbidden addresses in URLs, in all notations, reach no server`, async () => {
  await using canary = await openCanary();
  for (const host of LITERALS) await isKeptOut(canary, sendOnce(`http://${host}:${canary.port}/`), host);
});

test(`threat 72: ${TEXTS.length} hostile URLs reach no server`, async () => {
  await using canary = await openCanary();
  for (const text of TEXTS) {
    const url = text.replaceAll('PORT', String(canary.port));
    await isKeptOut(canary, sendOnce(url), JSON.stringify(text));
  }
});

test(`threat 72: ${DNS_ANSWERS.length} hostile DNS answers do not reach any server`, async () => {
  await using canary = await openCanary();
  for (const addresses of DNS_ANSWERS) {
    const sent = sendOnce(`http://hooks.example:${canary.port}/`, { resolveHost: async () => addresses });
    await isKeptOut(canary, sent, addresses.join(' '));
  }
});

test('threat 72: no interface of this machine can be reached by address or by name', async () => {
  await using canary = await openCanary();
  const own = Object.values(networkInterfaces()).flatMap((list) => list!);
  assert.ok(own.length > 0);
  for (const { address, family } of own) {
    const host = family === 'IPv6' ? `[${address}]` : address;
    await isKeptOut(canary, sendOnce(`http://${host}:${canary.port}/`), host);
    const sent = sendOnce(`http://hooks.example:${canary.port}/`, { resolveHost: async () => [address] });
    await isKeptOut(canary, sent, `a name for ${address}`);
  }
});

test('threat 72: if a name server first returns an allowed address and then 127.0.0.1, 127.0.0.1 gets no request', async () => {
  await using canary = await openCanary();
  await longEnough(SHORT_MS, async (timeoutMs) => {
    const asked = { 4: 0, 6: 0 };
    await using names = await openNameServer((_name, family) => {
      asked[family] += 1;
      if (family === 6) return asked[6] === 1 ? [DEAD_BYTES] : [];
      return asked[4] === 1 ? [] : [[127, 0, 0, 1]];
    });
    const resolveHost = makeResolveHost([names.address]);
    const sender = makeWebhookSender({ ...SETTINGS, resolveHost, timeoutMs });
    const url = `http://hooks.example:${canary.port}/`;
    const send = () => sender.send({ endpointId: 'whe_1', url, mode: 'test', headers: {}, body: '{}' });
    // The first DNS response is used, but no server has this address. The second DNS response is checked again.
    const [first, afterFirst, second] = [await send(), { ...asked }, await send()];
    await sender.close();
    assert.equal(canary.visits(), 0);
    assert.equal(first.kind, 'failed');
    // The machine was too slow for this time limit, so the look-up had not finished.
    if (afterFirst[4] + afterFirst[6] < 2 || isTimeout(second)) return undefined;
    assert.deepEqual(
      afterFirst,
      { 4: 1, 6: 1 },
      'what was judged is what is contacted: one look-up for a connection',
    );
    assert.equal(second.kind, 'refused');
    return true;
  });
});

test('threat 72: redirects to this machine are recorded as responses and not followed', async () => {
  await using canary = await openCanary();
  for (const status of [301, 302, 303, 307, 308]) {
    await using receiver = await openReceiver((socket) =>
      onRequest(socket, () =>
        socket.end(
          `HTTP/1.1 ${status} Moved\r\nlocation: http://127.0.0.1:${canary.port}/\r\nrefresh: 0\r\ncontent-length: 0\r\n\r\n`,
        ),
      ),
    );
    const outcome = await sendOnce(`http://127.0.0.1:${receiver.port}/`, { allowsLoopback: true });
    assert.equal(outcome.kind === 'answered' && outcome.status, status);
    assert.equal(canary.visits(), 0);
  }
});

test('threat 72: live mode never reaches this machine, even if test mode allows it', async () => {
  await using canary = await openCanary();
  const everything = { allowsLoopback: true, allowedSubnets: ['0.0.0.0/1', '128.0.0.0/1', '::/1'] };
  const urls = ['https://127.0.0.1/', 'https://[::1]/', 'https://localhost/', 'https://hooks.example/'];
  for (const url of [...urls, `https://127.0.0.1:${canary.port}/`, `http://127.0.0.1:${canary.port}/`]) {
    const sent = sendOnce(url, { ...everything, resolveHost: async () => ['127.0.0.1'] }, 'live');
    await isKeptOut(canary, sent, url);
  }
});

test('a proxy from the environment variables is not used', async (t) => {
  await using canary = await openCanary();
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'];
  for (const name of names) process.env[name] = `http://127.0.0.1:${canary.port}`;
  process.env.NODE_USE_ENV_PROXY = '1';
  t.after(() => {
    for (const name of [...names, 'NODE_USE_ENV_PROXY']) delete process.env[name];
  });
  const outcome = await sendOnce(`http://[${DEAD}]:${canary.port}/`, { timeoutMs: SHORT_MS });
  assert.equal(outcome.kind, 'failed');
  assert.equal(canary.visits(), 0);
});

test('allowed requests reach the test server: loopback in test mode, and an allowed subnet', async () => {
  await using canary = await openCanary();
  const hosts = [
    '127.0.0.1',
    'localhost',
    'x.localhost',
    '2130706433',
    '[::ffff:127.0.0.1]',
    'hooks.example',
  ];
  for (const [index, host] of hosts.entries()) {
    const names = host === 'hooks.example' ? { resolveHost: async () => ['127.0.0.1'] } : {};
    const outcome = await sendOnce(`http://${host}:${canary.port}/`, { allowsLoopback: true, ...names });
    assert.equal(
      outcome.kind === 'answered' && outcome.answer,
      'canary',
      `${host}: ${JSON.stringify(outcome)}`,
    );
    assert.equal(canary.visits(), index + 1);
  }
  const [other] = Object.values(networkInterfaces())
    .flatMap((list) => list!)
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  if (other === undefined) return;
  const url = `http://${other.address}:${canary.port}/`;
  assert.equal((await sendOnce(url, { allowedSubnets: [`${other.address}/32`] })).kind, 'answered');
});
