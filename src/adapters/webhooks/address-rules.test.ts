// Tests that every special address range is refused, public addresses are allowed, and an operator can open only private
// ranges.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AddressRules, judgeAddress } from './address-rules.ts';

const STRICT: AddressRules = { allowsLoopback: false, allowedSubnets: [] };

const PUBLIC = [
  ...['8.8.8.8', '1.1.1.1', '93.184.216.34', '11.0.0.1', '172.15.255.255', '172.32.0.1', '192.167.1.1'],
  ...['100.63.255.255', '100.128.0.0', '198.17.0.1', '223.255.255.255', '::ffff:8.8.8.8'],
  ...['2606:4700:4700::1111', '2a00:1450:4001::1', '2600::1', '2001:4860:4860::8888'],
];
const METADATA = [
  ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ...['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', '::ffff:169.254.169.254', 'fd00:0ec2:0:0::0254'],
];
const LOOPBACK = [
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
];
const NEVER = [
  ...['0.0.0.0', '0.1.2.3', '::', '255.255.255.255', '224.0.0.1', '239.255.255.250', 'ff02::1'],
  ...['169.254.0.1', 'fe80::1', 'fec0::1', 'fe80::1%eth0', '::1%lo', '8.8.8.8%0'],
  ...['::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1', '64:ff9b:1::1', '2002:7f00:1::', '2002:808:808::1'],
  ...['2001::1', '2001:0:4136:e378::1', '100::1', '5f00::1', '4000::1', '1::1', '2001:20::1', '192.175.48.1'],
  ...['', 'localhost', '127.1', '0177.0.0.1', '0x7f000001', '2130706433', '[::1]', '10.0.0.1 ', '1.2.3'],
];
const PRIVATE = [
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255'],
  ...[
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.9',
    '198.18.0.1',
    '198.19.255.255',
    '240.0.0.1',
    '::ffff:10.0.0.1',
  ],
  ...['fc00::1', 'fd12:3456::1', '2001:db8::1', '3fff::1'],
];
const NAT64 = ['64:ff9b::8.8.8.8', '64:ff9b::808:808'];
const EVERYTHING = ['1.0.0.0/1', '128.0.0.0/1', '0.0.0.0/1', '::/1', '8000::/1'];

test('threat 72: public addresses are allowed, and all others are refused', () => {
  for (const ip of PUBLIC) assert.equal(judgeAddress(ip, STRICT), 'allowed', ip);
  for (const ip of [...METADATA, ...LOOPBACK, ...NEVER, ...PRIVATE, ...NAT64])
    assert.equal(judgeAddress(ip, STRICT), 'refused', ip);
});

test('loopback needs a separate permission, which allows no other address', () => {
  const rules = { ...STRICT, allowsLoopback: true };
  for (const ip of LOOPBACK) assert.equal(judgeAddress(ip, rules), 'allowed', ip);
  for (const ip of [...METADATA, ...NEVER, ...PRIVATE, ...NAT64])
    assert.equal(judgeAddress(ip, rules), 'refused', ip);
});

test('threat 72: an operator who allows all subnets still cannot allow metadata, loopback, link-local or multicast addresses', () => {
  const rules = { ...STRICT, allowedSubnets: EVERYTHING };
  for (const ip of [...PRIVATE, ...NAT64, ...PUBLIC]) assert.equal(judgeAddress(ip, rules), 'allowed', ip);
  for (const ip of [...METADATA, ...LOOPBACK, ...NEVER]) assert.equal(judgeAddress(ip, rules), 'refused', ip);
});

test('an allowed subnet allows only its own addresses', () => {
  const rules = { ...STRICT, allowedSubnets: ['10.20.0.0/16', 'fd12:3456::/32'] };
  for (const ip of ['10.20.0.1', '10.20.255.255', '::ffff:10.20.0.1', 'fd12:3456::9'])
    assert.equal(judgeAddress(ip, rules), 'allowed', ip);
  for (const ip of ['10.21.0.1', '10.19.255.255', 'fd12:3457::9', '192.168.0.1', '127.0.0.1'])
    assert.equal(judgeAddress(ip, rules), 'refused', ip);
});

test('threat 72: the IPv4 address inside a NAT64 address is also checked', () => {
  const rules = { allowsLoopback: true, allowedSubnets: ['64:ff9b::/96'] };
  assert.equal(judgeAddress('64:ff9b::8.8.8.8', rules), 'allowed');
  for (const inside of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '0.0.0.0', '168.63.129.16'])
    assert.equal(judgeAddress(`64:ff9b::${inside}`, rules), 'refused', inside);
});

test('threat 72: a public address of this machine is refused unless the operator allowed it', () => {
  const ownAddresses = new Set(['93.184.216.34', '2606:4700::9']);
  for (const ip of ['93.184.216.34', '::ffff:93.184.216.34', '2606:4700:0::9'])
    assert.equal(judgeAddress(ip, { ...STRICT, ownAddresses }), 'refused', ip);
  assert.equal(judgeAddress('93.184.216.35', { ...STRICT, ownAddresses }), 'allowed');
  const opened = { ...STRICT, ownAddresses, allowedSubnets: ['93.184.216.0/24'] };
  assert.equal(judgeAddress('93.184.216.34', opened), 'allowed');
});
