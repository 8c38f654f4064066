// Finds the addresses of a host name in DNS. It asks the name servers itself: the look-up of the operating system occupies one
// of four threads until it ends, so a name server that does not answer would hold back every other endpoint.
import { Resolver } from 'node:dns/promises';

export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

const TIMEOUT_MS = 2_500;
const TRIES = 2;
/** A Resolver reads the name servers of the machine once, when it is made. */
const RENEW_MS = 60_000;
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

/** `servers` replaces the name servers of the machine. */
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
    // The name never leaves the machine (RFC 6761), and the address rules decide whether loopback is allowed.
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK;
    const resolver = resolverNow();
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [four, six].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}
