// Tests for threat 71: the same client is found for every notation of its address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOfAddress, makeIsProxy } from './client-address.ts';

test('threat 71: each IPv4 address is a separate client, even when it is written as an IPv6 address', () => {
  for (const address of [
    '192.0.2.1',
    '192.0.2.1:4711',
    '::ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
    '::ffff:c000:201',
    '0:0:0:0:0:ffff:c000:0201',
    '[::ffff:192.0.2.1]:443',
    '64:ff9b::192.0.2.1',
  ]) {
    assert.equal(clientOfAddress(address), '192.0.2.1', address);
  }
  assert.notEqual(clientOfAddress('192.0.2.2'), clientOfAddress('192.0.2.1'));
});

test('threat 71: all addresses of an IPv6 /64 count as one client, and the next /64 as another client', () => {
  for (const address of [
    '2001:db8:1:2::',
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002:0000:0000:0000:0001',
    '[2001:db8:1:2::9]:1234',
    '[2001:db8:1:2::9]',
    '2001:db8:1:2::192.0.2.1',
  ]) {
    assert.equal(clientOfAddress(address), '2001:db8:1:2::/64', address);
  }
  assert.equal(clientOfAddress('2001:db8:1:3::1'), '2001:db8:1:3::/64');
  assert.equal(clientOfAddress('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(clientOfAddress('::1'), '0:0:0:0::/64');
});

test('all values that are not addresses count as the same client', () => {
  for (const address of [
    undefined,
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '999.1.1.1',
    '::g',
    'x'.repeat(5_000),
  ]) {
    assert.equal(clientOfAddress(address), 'unknown');
  }
});

test('a proxy is a trusted address or range; if the setting is a number of hops, every address is a proxy', () => {
  assert.equal(makeIsProxy(false)('127.0.0.1'), false);
  assert.equal(makeIsProxy(1)('192.0.2.1'), true);
  const isProxy = makeIsProxy(['loopback', '10.0.0.0/8', '192.0.2.7', '2001:db8::/32']);
  for (const yes of ['127.0.0.9', '::1', '10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8::5']) {
    assert.equal(isProxy(yes), true, yes);
  }
  for (const no of ['11.0.0.1', '192.0.2.8', '2001:db9::5', '', 'unknown'])
    assert.equal(isProxy(no), false, no);
});
