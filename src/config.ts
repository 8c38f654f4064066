// The environment, read once into one typed value. A bad setting stops the start and names itself; every setting is
// described in config.example.env.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Policies, Policy } from './domain/settlement/policy.ts';
import { MAX_WIRE_MINOR, parseAmount } from './domain/values/money.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly otcPort: number;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly databaseTimeoutMs: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Proxies whose forwarded addresses are believed: a number of hops, or addresses and ranges. */
  readonly trustProxy: number | string[] | false;
  readonly publicBaseUrl: string | null;
  readonly publicOtcBaseUrl: string | null;
  readonly secretKeyHeader: string;
  readonly logLevel: LogLevel;
  readonly metricsToken: string | null;
  readonly buyBounds: { readonly minMinor: bigint; readonly maxMinor: bigint };
  readonly sellBounds: { readonly minMinor: bigint; readonly maxMinor: bigint };
  readonly buyExpiryMs: number;
  readonly depositExpiryMs: number;
  readonly idempotencyKeepMs: number;
  readonly rateLimitPerSecond: number;
  readonly rateLimitBurst: number;
  readonly authFailuresPerMinute: number;
  readonly publicRateLimitPerSecond: number;
  readonly publicRateLimitBurst: number;
  readonly requestsInFlight: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly bodyLimitBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly writeTimeoutMs: number;
  readonly drainMs: number;
  readonly offCurveWallets: 'accept' | 'refuse';
  readonly policies: Policies;
  readonly settleLeaseMs: number;
  readonly settleBatch: number;
  readonly sandbox: { readonly paceMs: number; readonly seed: string; readonly faultPercent: number };
  /** A file that describes networks on which real tokens move; null: there are none. */
  readonly networksFile: string | null;
  readonly signer: {
    readonly keyFile: string;
    readonly passphrase: SecretSetting;
    readonly newPassphrase: SecretSetting;
  };
  /** A file of names, accounts and wallets to hold; null when nothing is listed. */
  readonly screeningList: string | null;
}

/** A secret that is given by itself or in a file. */
export interface SecretSetting {
  readonly name: string;
  /** A function, so that a printed Config does not show it. */
  readonly text: (() => string) | null;
  readonly file: string | null;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const HOUR_MS = 3_600_000;
/** The interface's own minimum for a buy; not a setting. */
const BUY_MIN = '15000';

type Env = Readonly<Record<string, string | undefined>>;

/** Every setting that is read, in the order of config.example.env. */
export const SETTING_NAMES = [
  'HOST',
  'PORT',
  'OTC_PORT',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_POOL_SIZE',
  'DATABASE_TIMEOUT_MS',
  'TLS_CERT',
  'TLS_KEY',
  'TRUST_PROXY',
  'PUBLIC_BASE_URL',
  'PUBLIC_OTC_BASE_URL',
  'SECRET_KEY_HEADER',
  'LOG_LEVEL',
  'METRICS_TOKEN',
  'BUY_MAX',
  'SELL_MIN',
  'SELL_MAX',
  'BUY_EXPIRY_HOURS',
  'DEPOSIT_EXPIRY_HOURS',
  'IDEMPOTENCY_KEEP_HOURS',
  'RATE_LIMIT_PER_SECOND',
  'RATE_LIMIT_BURST',
  'AUTH_FAILURES_PER_MINUTE',
  'PUBLIC_RATE_LIMIT_PER_SECOND',
  'PUBLIC_RATE_LIMIT_BURST',
  'REQUESTS_IN_FLIGHT',
  'MAX_CONNECTIONS',
  'MAX_CONNECTIONS_PER_ADDRESS',
  'BODY_LIMIT_BYTES',
  'HEADERS_TIMEOUT_MS',
  'REQUEST_TIMEOUT_MS',
  'KEEP_ALIVE_TIMEOUT_MS',
  'WRITE_TIMEOUT_MS',
  'DRAIN_MS',
  'OFF_CURVE_WALLETS',
  'NETWORKS_FILE',
  'SIGNER_KEY_FILE',
  'SIGNER_PASSPHRASE',
  'SIGNER_PASSPHRASE_FILE',
  'SIGNER_NEW_PASSPHRASE',
  'SIGNER_NEW_PASSPHRASE_FILE',
  'SCREENING_LIST',
  'MATCH_WINDOW_DAYS',
  'MATCH_GRACE_SECONDS',
  'PARTIAL_CREDIT',
  'OVER_CREDIT',
  'LATE_CREDIT',
  'DEPOSIT_GRACE_SECONDS',
  'SHORT_DEPOSIT',
  'LATE_DEPOSIT',
  'REVERSAL_FREEZES',
  'SETTLE_LEASE_MS',
  'SETTLE_BATCH',
  'SANDBOX_PACE_MS',
  'SANDBOX_SEED',
  'SANDBOX_FAULT_PERCENT',
] as const;

export function readConfig(env: Env): Config {
  const port = integer(env, 'PORT', 4000, 1, 65_535);
  const otcPort = integer(env, 'OTC_PORT', 4001, 1, 65_535);
  if (port === otcPort) throw new ConfigError('OTC_PORT must differ from PORT.');
  const sellMinMinor = naira(env, 'SELL_MIN', '1000');
  const headersTimeoutMs = integer(env, 'HEADERS_TIMEOUT_MS', 10_000, 100, 600_000);
  const requestTimeoutMs = integer(env, 'REQUEST_TIMEOUT_MS', 30_000, 100, 600_000);
  if (headersTimeoutMs > requestTimeoutMs) {
    throw new ConfigError('HEADERS_TIMEOUT_MS must not be above REQUEST_TIMEOUT_MS.');
  }
  const dataDir = path.resolve(text(env, 'DATA_DIR') ?? 'data');
  return {
    host: text(env, 'HOST') ?? '127.0.0.1',
    port,
    otcPort,
    dataDir,
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: integer(env, 'DATABASE_POOL_SIZE', 10, 3, 500),
    databaseTimeoutMs: integer(env, 'DATABASE_TIMEOUT_MS', 5_000, 100, 60_000),
    tls: tls(env),
    trustProxy: trustProxy(env),
    publicBaseUrl: url(env, 'PUBLIC_BASE_URL', ['http:', 'https:']),
    publicOtcBaseUrl: url(env, 'PUBLIC_OTC_BASE_URL', ['http:', 'https:']),
    secretKeyHeader: headerName(env, 'SECRET_KEY_HEADER', 'svc-sec-key'),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    metricsToken: secret(env, 'METRICS_TOKEN'),
    buyBounds: bounds('BUY_MAX', naira({}, '', BUY_MIN), naira(env, 'BUY_MAX', '1000000000')),
    sellBounds: bounds('SELL_MAX', sellMinMinor, naira(env, 'SELL_MAX', '1000000000')),
    buyExpiryMs: integer(env, 'BUY_EXPIRY_HOURS', 24, 1, 8_760) * HOUR_MS,
    depositExpiryMs: integer(env, 'DEPOSIT_EXPIRY_HOURS', 24, 1, 8_760) * HOUR_MS,
    idempotencyKeepMs: integer(env, 'IDEMPOTENCY_KEEP_HOURS', 48, 24, 8_760) * HOUR_MS,
    rateLimitPerSecond: integer(env, 'RATE_LIMIT_PER_SECOND', 500, 1, 10_000_000),
    rateLimitBurst: integer(env, 'RATE_LIMIT_BURST', 1_000, 1, 10_000_000),
    authFailuresPerMinute: integer(env, 'AUTH_FAILURES_PER_MINUTE', 60, 1, 1_000_000),
    publicRateLimitPerSecond: integer(env, 'PUBLIC_RATE_LIMIT_PER_SECOND', 50, 1, 10_000_000),
    publicRateLimitBurst: integer(env, 'PUBLIC_RATE_LIMIT_BURST', 500, 1, 10_000_000),
    requestsInFlight: integer(env, 'REQUESTS_IN_FLIGHT', 1_000, 1, 1_000_000),
    maxConnections: integer(env, 'MAX_CONNECTIONS', 10_000, 10, 1_000_000),
    maxConnectionsPerAddress: integer(env, 'MAX_CONNECTIONS_PER_ADDRESS', 1_000, 1, 1_000_000),
    bodyLimitBytes: integer(env, 'BODY_LIMIT_BYTES', 65_536, 1_024, 10_485_760),
    headersTimeoutMs,
    requestTimeoutMs,
    keepAliveTimeoutMs: integer(env, 'KEEP_ALIVE_TIMEOUT_MS', 72_000, 1_000, 600_000),
    writeTimeoutMs: integer(env, 'WRITE_TIMEOUT_MS', 30_000, 100, 600_000),
    drainMs: integer(env, 'DRAIN_MS', 500, 0, 60_000),
    offCurveWallets: oneOf(env, 'OFF_CURVE_WALLETS', ['accept', 'refuse'] as const, 'accept'),
    policies: policies(env),
    settleLeaseMs: integer(env, 'SETTLE_LEASE_MS', 15_000, 100, 600_000),
    settleBatch: integer(env, 'SETTLE_BATCH', 200, 1, 1_000),
    sandbox: {
      paceMs: integer(env, 'SANDBOX_PACE_MS', 300, 1, 60_000),
      seed: text(env, 'SANDBOX_SEED') ?? 'sandbox',
      faultPercent: integer(env, 'SANDBOX_FAULT_PERCENT', 0, 0, 50),
    },
    networksFile: location(env, 'NETWORKS_FILE'),
    signer: {
      keyFile: location(env, 'SIGNER_KEY_FILE') ?? path.join(dataDir, 'signer-keys.json'),
      passphrase: secretSetting(env, 'SIGNER_PASSPHRASE'),
      newPassphrase: secretSetting(env, 'SIGNER_NEW_PASSPHRASE'),
    },
    screeningList: location(env, 'SCREENING_LIST'),
  };
}

/** In the sandbox nobody waits ten minutes for the exact payment. */
const SANDBOX_GRACE_MS = 1_000;

function policies(env: Env): Policies {
  const freezes = oneOf(env, 'REVERSAL_FREEZES', ['live', 'both', 'none'] as const, 'live');
  const live: Policy = {
    matchWindowMs: integer(env, 'MATCH_WINDOW_DAYS', 7, 1, 90) * 24 * HOUR_MS,
    matchGraceMs: integer(env, 'MATCH_GRACE_SECONDS', 600, 0, 86_400) * 1_000,
    partialCredit: oneOf(env, 'PARTIAL_CREDIT', ['hold', 'refund'] as const, 'hold'),
    overCredit: oneOf(env, 'OVER_CREDIT', ['refund_excess', 'hold'] as const, 'refund_excess'),
    lateCredit: oneOf(env, 'LATE_CREDIT', ['complete', 'refund'] as const, 'complete'),
    depositGraceMs: integer(env, 'DEPOSIT_GRACE_SECONDS', 3_600, 0, 604_800) * 1_000,
    shortDeposit: oneOf(env, 'SHORT_DEPOSIT', ['hold', 'refund'] as const, 'hold'),
    lateDeposit: oneOf(env, 'LATE_DEPOSIT', ['refund', 'complete', 'hold'] as const, 'refund'),
    freezeOnReversal: freezes !== 'none',
  };
  const grace = { matchGraceMs: SANDBOX_GRACE_MS, depositGraceMs: SANDBOX_GRACE_MS };
  return { live, test: { ...live, ...grace, freezeOnReversal: freezes === 'both' } };
}

/** Empty means unset, as in `PORT= npm start`. */
function text(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name);
  if (value === undefined) return fallback;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`);
}

function naira(env: Env, name: string, fallback: string): bigint {
  const parsed = parseAmount(text(env, name) ?? fallback, { minMinor: 1n, maxMinor: MAX_WIRE_MINOR });
  if (parsed.ok) return parsed.value;
  throw new ConfigError(`${name} must be an amount in naira such as 1000 or 1000.50.`);
}

function bounds(name: string, minMinor: bigint, maxMinor: bigint) {
  if (maxMinor < minMinor) throw new ConfigError(`${name} must not be below the minimum.`);
  return { minMinor, maxMinor };
}

function location(env: Env, name: string): string | null {
  const value = text(env, name);
  return value === undefined ? null : path.resolve(value);
}

function url(env: Env, name: string, protocols: readonly string[]): string | null {
  const value = text(env, name);
  if (value === undefined) return null;
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '');
  // The value may hold a password: it is not repeated.
  throw new ConfigError(`${name} must be a URL that starts with ${protocols[0]}//.`);
}

function oneOf<T extends string>(env: Env, name: string, words: readonly T[], fallback: T): T {
  const value = text(env, name);
  if (value === undefined) return fallback;
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  throw new ConfigError(`${name} must be one of ${words.join(', ')}.`);
}

function headerName(env: Env, name: string, fallback: string): string {
  const value = text(env, name)?.toLowerCase() ?? fallback;
  if (/^[a-z0-9][a-z0-9-]{1,63}$/.test(value)) return value;
  throw new ConfigError(`${name} must be a header name such as ${fallback}.`);
}

function secret(env: Env, name: string): string | null {
  const value = text(env, name);
  if (value === undefined) return null;
  if (value.length >= 16) return value;
  throw new ConfigError(`${name} must have at least 16 characters.`);
}

/** As it is: a passphrase may begin or end with a space. */
function secretSetting(env: Env, name: string): SecretSetting {
  const value = env[name];
  const given = value !== undefined && value.trim() !== '';
  return { name, text: given ? () => value : null, file: location(env, `${name}_FILE`) };
}

function tls(env: Env): Config['tls'] {
  const cert = text(env, 'TLS_CERT');
  const key = text(env, 'TLS_KEY');
  if (cert === undefined && key === undefined) return null;
  if (cert === undefined) throw new ConfigError('TLS_CERT must be set when TLS_KEY is.');
  if (key === undefined) throw new ConfigError('TLS_KEY must be set when TLS_CERT is.');
  const pair = { cert: file('TLS_CERT', cert), key: file('TLS_KEY', key) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new ConfigError(`TLS_CERT and TLS_KEY cannot be used together: ${(error as Error).message}.`);
  }
  return pair;
}

function file(name: string, location: string): Buffer {
  try {
    return readFileSync(location);
  } catch (error) {
    throw new ConfigError(`${name} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/** Never "believe everyone": either a number of hops or the proxies' own addresses. */
function trustProxy(env: Env): Config['trustProxy'] {
  const value = text(env, 'TRUST_PROXY');
  if (value === undefined) return false;
  if (/^[1-9]$/.test(value)) return Number(value);
  const addresses = value.split(',').map((each) => each.trim());
  if (addresses.every(isAddressOrRange)) return addresses;
  throw new ConfigError('TRUST_PROXY must be a number of hops (1 to 9) or a list of addresses and ranges.');
}

function isAddressOrRange(text: string): boolean {
  if (text === 'loopback') return true;
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (most === undefined || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}
