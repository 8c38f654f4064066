// Finds the client that an address belongs to, for all limits per address. The client is the IPv4 address itself, or the /64
// network of an IPv6 address, because one client usually has a whole /64.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

const UNKNOWN = 'unknown';

export function clientOfAddress(address: string | undefined): string {
  if (address === undefined) return UNKNOWN;
  const bare = stripPortAndZone(address);
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return UNKNOWN;
  const groups = groupsOf(bare);
  if (isIPv4Inside(groups)) return ipv4Of(groups);
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Some proxies forward an address with a port, such as `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function stripPortAndZone(address: string): string {
  const bracketed = /^\[([^\]]*)\](:\d+)?$/.exec(address)?.[1];
  if (bracketed !== undefined) return bracketed.replace(/%.*$/s, '');
  const ipv4 = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1];
  return ipv4 ?? address.replace(/%.*$/s, '');
}

function groupsOf(address: string): number[] {
  const hexadecimal = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((each) => each.toString(16)).join(':'),
  );
  const [head = '', tail] = hexadecimal.split('::');
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((each) => Number.parseInt(each, 16));
  const [before, after] = [numbers(head), numbers(tail ?? '')];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/**
 * These IPv6 ranges contain IPv4 addresses: ::ffff:0:0/96 on a socket that listens on ::, and 64:ff9b::/96 behind a translator
 * (NAT64).
 */
function isIPv4Inside(groups: readonly number[]): boolean {
  const prefix = groups.slice(0, 6).join(' ');
  return prefix === `0 0 0 0 0 ${0xffff}` || prefix === `${0x64} ${0xff9b} 0 0 0 0`;
}

function ipv4Of(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/**
 * Makes a function that tells whether an address is a proxy of the operator (TRUST_PROXY). A proxy forwards the requests of
 * many clients.
 */
export function makeIsProxy(trustProxy: number | readonly string[] | false): (address: string) => boolean {
  if (trustProxy === false) return () => false;
  if (typeof trustProxy === 'number') return () => true;
  const proxies = new BlockList();
  for (const each of trustProxy.flatMap((text) => (text === 'loopback' ? LOOPBACK : [text]))) {
    const [address = '', bits] = each.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    proxies.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  // BlockList compares an IPv4-mapped IPv6 address with its IPv4 rules, so this function need not do so.
  return (address) =>
    isIPv4(address) ? proxies.check(address) : isIPv6(address) && proxies.check(address, 'ipv6');
}

const LOOPBACK = ['127.0.0.0/8', '::1'];
