// Derives the addresses of the service, and whether only this machine can reach the service.
import type { Config } from '../config.ts';

export interface PublicUrls {
  readonly main: string;
  readonly otc: string;
}

export function derivePublicUrls(config: Config): PublicUrls {
  const scheme = config.tls === null ? 'http' : 'https';
  const everyInterface = config.host === '0.0.0.0' || config.host === '::';
  const name = everyInterface ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    main: config.publicBaseUrl ?? `${scheme}://${name}:${config.port}`,
    otc: config.publicOtcBaseUrl ?? `${scheme}://${name}:${config.otcPort}`,
  };
}

/**
 * Returns the origin at which people create and use passkeys. Browsers bind passkeys to a host name, never to an IP address, so
 * on a local service the origin is localhost.
 */
export function derivePasskeyOrigin(config: Config): { readonly host: string; readonly origin: string } {
  const url = new URL(derivePublicUrls(config).main);
  if (/^(127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)) url.hostname = 'localhost';
  return { host: url.hostname, origin: url.origin };
}

/** Whether only this machine can send requests, and no proxy forwards requests from other machines. */
export function isLocalOnly(config: Config): boolean {
  return /^(127\.|::1$|localhost$)/.test(config.host) && config.trustProxy === false;
}
