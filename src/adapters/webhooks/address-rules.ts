// Decides which addresses a webhook may be sent to: public addresses, and private ranges that an operator opened. Loopback
// needs a separate permission. The metadata addresses of clouds, which serve credentials, are never contacted.
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressRules {
  readonly allowsLoopback: boolean;
  /** The subnets that an operator opened, in CIDR notation. */
  readonly allowedSubnets: readonly string[];
  /**
   * The addresses of this machine, which are refused. A connection from the machine to its own public address would bypass the
   * firewall in front of the machine.
   */
  readonly ownAddresses?: ReadonlySet<string>;
}

export type AddressVerdict = 'allowed' | 'refused';

/**
 * Addresses of metadata services that no range of ipaddr.js contains, or that an operator could open by mistake with a wide
 * subnet.
 */
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
/**
 * The address ranges that an operator can open. Link-local, multicast, broadcast and unspecified addresses are always refused.
 */
const OPENABLE: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'reserved']);
/** The part of the IPv6 address space that is in use. ipaddr.js treats every unknown IPv6 address as public. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
/** The last four bytes of a NAT64 address are an IPv4 address, which a gateway contacts. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

export function judgeAddress(ip: string, rules: AddressRules): AddressVerdict {
  // ipaddr.js would also accept 0177.1 and fe80::1%eth0, so such texts are refused here.
  if (isIP(ip) === 0 || ip.includes('%')) return 'refused';
  const address = ipaddr.process(canonicalAddress(ip));
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

/** ipaddr.js reads `::8.8.8.8` as if it were `::ffff:8.8.8.8`, but the operating system does not. */
function canonicalAddress(ip: string): string {
  return isIP(ip) === 6 ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip;
}

function isWithin(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  [network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number],
): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/**
 * Finds the addresses of a host name in DNS by querying the name servers directly. A look-up by the operating system blocks one
 * of four threads until it ends. So a name server that does not respond would delay all other endpoints.
 */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 2_500;
const TRIES = 2;
/** The resolver is created again after this time, because it reads the machine's name servers only when it is created. */
const RENEW_MS = 60_000;
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

export function makeResolveHost(servers?: readonly string[]): ResolveHost {
  let current: { readonly resolver: Resolver; readonly madeAtMs: number } | null = null;
  const resolverNow = () => {
    const nowMs = performance.now();
    if (current === null || nowMs - current.madeAtMs > RENEW_MS) {
      current = { resolver: new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }), madeAtMs: nowMs };
      if (servers !== undefined) current.resolver.setServers(servers);
    }
    return current.resolver;
  };
  return async (hostname) => {
    // The name localhost is not looked up in DNS (RFC 6761). The address rules decide whether loopback is allowed.
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK;
    const resolver = resolverNow();
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [four, six].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}
