// Settings for how clients reach the service: addresses, HTTPS, proxies in front of the service, the header of the key, the log
// and the metrics.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { SettingReader } from './setting-reader.ts';

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  readonly otcPort: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** The proxies whose forwarded client addresses the service trusts: a number of hops, or a list of addresses and ranges. */
  readonly trustProxy: number | string[] | false;
  readonly publicBaseUrl: string | null;
  readonly publicOtcBaseUrl: string | null;
  readonly secretKeyHeader: string;
  readonly logLevel: LogLevel;
  readonly metricsToken: string | null;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const WEB_PROTOCOLS = ['http:', 'https:'];

export function readServerConfig(settings: SettingReader): ServerConfig {
  const host = settings.text('HOST') ?? '127.0.0.1';
  const port = settings.integer('PORT', { fallback: 4000, min: 1, max: 65_535 });
  const otcPort = settings.integer('OTC_PORT', { fallback: 4001, min: 1, max: 65_535 });
  settings.require(port !== otcPort, ['OTC_PORT', 'PORT'], 'must differ from PORT.');
  return {
    host,
    port,
    otcPort,
    tls: readTls(settings),
    trustProxy: readTrustProxy(settings),
    publicBaseUrl: settings.url('PUBLIC_BASE_URL', WEB_PROTOCOLS),
    publicOtcBaseUrl: settings.url('PUBLIC_OTC_BASE_URL', WEB_PROTOCOLS),
    secretKeyHeader: readHeaderName(settings, 'SECRET_KEY_HEADER', 'svc-sec-key'),
    logLevel: settings.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    metricsToken: readToken(settings, 'METRICS_TOKEN'),
  };
}

function readHeaderName(settings: SettingReader, name: string, fallback: string): string {
  const value = settings.text(name)?.toLowerCase() ?? fallback;
  if (/^[a-z0-9][a-z0-9-]{1,63}$/.test(value)) return value;
  settings.refuse(name, `must be a header name such as ${fallback}.`);
  return fallback;
}

function readToken(settings: SettingReader, name: string): string | null {
  const value = settings.text(name);
  if (value === undefined || value.length >= 16) return value ?? null;
  settings.refuse(name, 'must have at least 16 characters.');
  return null;
}

function readTls(settings: SettingReader): ServerConfig['tls'] {
  const [cert, key] = [settings.text('TLS_CERT'), settings.text('TLS_KEY')];
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined || key === undefined) {
    const [missing, set] = cert === undefined ? ['TLS_CERT', 'TLS_KEY'] : ['TLS_KEY', 'TLS_CERT'];
    settings.refuse(missing, `must be set when ${set} is set.`);
    return null;
  }
  const pair = {
    cert: readSettingFile(settings, 'TLS_CERT', cert),
    key: readSettingFile(settings, 'TLS_KEY', key),
  };
  if (pair.cert === null || pair.key === null) return null;
  try {
    createSecureContext({ cert: pair.cert, key: pair.key });
  } catch (error) {
    settings.refuse('TLS_CERT', `and TLS_KEY cannot be used together: ${(error as Error).message}.`);
  }
  return { cert: pair.cert, key: pair.key };
}

function readSettingFile(settings: SettingReader, name: string, location: string): Buffer | null {
  try {
    return readFileSync(location);
  } catch (error) {
    settings.refuse(name, `cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
    return null;
  }
}

/** Reads TRUST_PROXY as a number of hops, or as the addresses of the proxies. No value makes the service trust every proxy. */
function readTrustProxy(settings: SettingReader): ServerConfig['trustProxy'] {
  const value = settings.text('TRUST_PROXY');
  if (value === undefined) return false;
  if (/^[1-9]$/.test(value)) return Number(value);
  const addresses = value.split(',').map((each) => each.trim());
  if (addresses.every(isAddressOrRange)) return addresses;
  settings.refuse('TRUST_PROXY', 'must be a number of hops (1 to 9) or a list of addresses and ranges.');
  return false;
}

function isAddressOrRange(text: string): boolean {
  if (text === 'loopback') return true;
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (most === undefined || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}
