// Tests how the sender of webhooks looks up host names directly at name servers. The tests cover both address families, names
// without an address, and localhost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openNameServer } from '../../../test/support/webhooks/receivers.ts';
import { makeResolveHost } from './address-rules.ts';

const SIX = [0x26, 6, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9];

test('all IPv4 and IPv6 addresses are found, and one of the two families is enough', async () => {
  await using names = await openNameServer((name, family) => {
    if (name === 'both.example')
      return family === 4
        ? [
            [93, 184, 216, 34],
            [10, 0, 0, 1],
          ]
        : [SIX];
    if (name === 'four.example') return family === 4 ? [[93, 184, 216, 34]] : [];
    return family === 6 ? [SIX] : [];
  });
  const resolveHost = makeResolveHost([names.address]);
  assert.deepEqual(await resolveHost('both.example'), ['93.184.216.34', '10.0.0.1', '2606:4700::9']);
  assert.deepEqual(await resolveHost('four.example'), ['93.184.216.34']);
  assert.deepEqual(await resolveHost('six.example'), ['2606:4700::9']);
});

test('each connection queries the name server again; its responses are not cached', async () => {
  await using names = await openNameServer((_name, family) => (family === 4 ? [[93, 184, 216, 34]] : []));
  const resolveHost = makeResolveHost([names.address]);
  await resolveHost('four.example');
  await resolveHost('four.example');
  assert.equal(names.questions(), 4);
});

test('a host name without addresses is an error', async () => {
  await using names = await openNameServer(() => []);
  await assert.rejects(makeResolveHost([names.address])('none.example'), { code: 'ENODATA' });
});

test('localhost is this machine, and no name server is queried', async () => {
  await using names = await openNameServer(() => [[8, 8, 8, 8]]);
  const resolveHost = makeResolveHost([names.address]);
  for (const name of ['localhost', 'app.localhost'])
    assert.deepEqual(await resolveHost(name), ['127.0.0.1', '::1']);
  assert.equal(names.questions(), 0);
});
