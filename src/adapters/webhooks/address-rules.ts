// Which addresses a webhook may be sent to: public ones, and the private ranges an operator opened. Loopback needs its own
// permission, and the addresses under which clouds serve credentials are never contacted.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressRules {
  readonly allowsLoopback: boolean;
  /** In CIDR notation. */
  readonly allowedSubnets: readonly string[];
  /** Addresses of this machine: a public one would lead past the firewall in front of it. */
  readonly ownAddresses?: ReadonlySet<string>;
}

export type AddressVerdict = 'allowed' | 'refused';

/** Metadata services that no range of ipaddr.js holds, or that an operator could open with a wide subnet by mistake. */
const METADATA: ReadonlySet<string> = new Set(
  [
    '168.63.129.16', // Azure; a public address
    '100.100.100.200', // Alibaba Cloud
    '192.0.0.192', // Oracle Cloud
    'fd00:ec2::254', // AWS
    'fd00:ec2::23', // AWS, containers
    'fd20:ce::254', // Google Cloud
  ].map((address) => ipaddr.parse(address).toString()),
);
/** What an operator can open. Link-local, multicast, broadcast and unspecified addresses stay closed. */
const OPENABLE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'reserved']);
/** ipaddr.js calls every IPv6 address it does not know public; only this part of the space is in use. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** The last four bytes are an IPv4 address, which a gateway contacts. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

export function judgeAddress(ip: string, rules: AddressRules): AddressVerdict {
  // ipaddr.js would read 0177.1 and fe80::1%eth0 as well.
  if (isIP(ip) === 0 || ip.includes('%')) return 'refused';
  const address = ipaddr.process(canonical(ip));
  if (METADATA.has(address.toString())) return 'refused';
  const range = address.range();
  if (range === 'loopback') return rules.allowsLoopback ? 'allowed' : 'refused';
  const isOpened = rules.allowedSubnets.some((subnet) => isWithin(address, ipaddr.parseCIDR(subnet)));
  if (range === 'unicast') {
    if (address.kind() === 'ipv6' && !isWithin(address, GLOBAL_IPV6)) return 'refused';
    return isOpened || !rules.ownAddresses?.has(address.toString()) ? 'allowed' : 'refused';
  }
  if (!isOpened) return 'refused';
  if (isWithin(address, NAT64)) {
    const behind = address.toByteArray().slice(-4).join('.');
    return judgeAddress(behind, { ...rules, allowsLoopback: false });
  }
  return OPENABLE.has(range) ? 'allowed' : 'refused';
}

/** ipaddr.js reads `::8.8.8.8` as if it were `::ffff:8.8.8.8`; the operating system does not. */
function canonical(ip: string): string {
  return isIP(ip) === 6 ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip;
}

function isWithin(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  [network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number],
): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
