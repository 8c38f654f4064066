// Opens connections to endpoints, and only to addresses that the address rules allow. An address in the URL is checked here,
// because undici and Node look up only names. For a name, all its addresses are checked, and only these addresses are used. The
// URL keeps its host name, so the certificate is checked against that name.
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressVerdict, ResolveHost } from './address-rules.ts';

/** The address must not be contacted. The message does not contain the address, because the business can read the message. */
export class RefusedAddressError extends Error {}

export class UnresolvedHostError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`no address (${code})`);
    this.code = code;
  }
}

export interface ConnectorSettings {
  readonly judge: (ip: string) => AddressVerdict;
  readonly resolveHost: ResolveHost;
  readonly timeoutMs: number;
  /** Certificate authorities that replace those of Node. */
  readonly ca?: string;
}

export function makeConnector(settings: ConnectorSettings): buildConnector.connector {
  const { judge, resolveHost, timeoutMs, ca } = settings;
  const connect = buildConnector({
    lookup: makeLookup(judge, resolveHost),
    timeout: timeoutMs,
    allowH2: false,
    // This is set explicitly, because an environment variable of Node could disable the certificate check.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    const { hostname } = options;
    const ip = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
    if (isIP(ip) !== 0 && judge(ip) === 'refused') {
      process.nextTick(callback, new RefusedAddressError('the address in the URL is refused'), null);
      return;
    }
    connect(options, callback);
  };
}

function makeLookup(judge: ConnectorSettings['judge'], resolveHost: ResolveHost): LookupFunction {
  return (hostname, { all }, callback) => {
    resolveAllowedAddresses(hostname, judge, resolveHost).then(
      (addresses) => {
        const list = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all) callback(null, list);
        else callback(null, list[0]!.address, list[0]!.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

async function resolveAllowedAddresses(
  hostname: string,
  judge: ConnectorSettings['judge'],
  resolveHost: ResolveHost,
): Promise<readonly string[]> {
  const addresses = await resolveHost(hostname).catch((error: NodeJS.ErrnoException) => {
    throw new UnresolvedHostError(error.code ?? 'EUNKNOWN');
  });
  if (addresses.length === 0) throw new UnresolvedHostError('ENODATA');
  if (addresses.some((address) => judge(address) === 'refused'))
    throw new RefusedAddressError('an address of the host name is refused');
  return addresses;
}
