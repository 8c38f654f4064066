// Every setting has a working default. With a wrong value, the service does not start. The message names the setting and omits
// the value, which may be a secret.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { type Config, ConfigError, readConfig, settingNames } from './config.ts';

const SETTING_NAMES = settingNames();
const EXAMPLE = readFileSync(path.join(import.meta.dirname, '../config.example.env'), 'utf8');

const BAD: Readonly<Record<string, readonly string[]>> = {
  PORT: ['0', '65536', '-1', '80.5', 'http', '4e3', '0x50', '9'.repeat(20)],
  OTC_PORT: ['0', '65536', 'x', '4000'],
  OIDC_ISSUER: ['x', 'ftp://id.example.com', 'http://id.example.com'],
  DATABASE_URL: [
    'x',
    'localhost',
    'mysql://u:hunter2@h/d',
    'http://u:hunter2@h',
    '//u:hunter2@h',
    'u:hunter2@h',
  ],
  QUOTE_VALID_SECONDS: ['9', '86401', '10m'],
  QUOTE_EXPOSURE_MAX: ['0', '-1', 'x', '1.234'],
  QUOTE_OPEN_MAX: ['0', '1000001', '1.5'],
  ACCOUNT_QUESTIONS_PER_MINUTE: ['0', '601', '1.5'],
  PERSONAL_DATA_DAYS: ['-1', '36501', '1.5', 'a year'],
  LEGAL_RETENTION_DAYS: ['0', '36501', '1.5', 'seven years'],
  TRAVEL_RULE_MINIMUM: ['0', '-1', 'a million'],
  THRESHOLD_INDIVIDUAL: ['0', '-1', '1.001', 'five'],
  THRESHOLD_CORPORATE: ['0', 'x'],
  VENDOR_SILENT_HOURS: ['0', '721', 'x'],
  VENDOR_SILENT_CLAIMS: ['1', '1001'],
  VENDOR_SILENT_MODES: ['test', 'all'],
  DATABASE_POOL_SIZE: ['2', '501', '1.5', 'many'],
  DATABASE_TIMEOUT_MS: ['99', '60001', '5s'],
  TLS_CERT: ['/nowhere/at/all.pem'],
  TLS_KEY: ['/nowhere/at/all.pem'],
  TRUST_PROXY: [
    ...[
      'true',
      'all',
      '*',
      '0',
      '10',
      '12',
      '10.0.0.1;10.0.0.2',
      'proxy.example',
      '10.0.0.0/8,',
      '0.0.0.0/0',
    ],
    ...['999.1.1.1', '10.0.0.0/33', '10.0.0', '::1/129', '::g', '10.0.0.0/8/8', '10.0.0.0/', '1e1'],
  ],
  PUBLIC_BASE_URL: ['example.com', 'ftp://example.com', '/api', 'javascript:alert(1)'],
  PUBLIC_OTC_BASE_URL: ['otc', 'ws://example.com'],
  SECRET_KEY_HEADER: ['x', 'has space', 'colon:', 'ä', '-start', 'a'.repeat(65), 'a\nb'],
  LOG_LEVEL: ['INFO', 'verbose', 'fatal'],
  METRICS_TOKEN: ['short', 'x'.repeat(15)],
  BUY_MAX: ['14999.99', '0', '-1', '1e9', '1,000,000', '20000.001', 'lots', '10000000000000'],
  SELL_MIN: ['0', '-5', '1.005', 'free', '1000000000.01'],
  SELL_MAX: ['999.99', 'x', '1e9'],
  BUY_EXPIRY_HOURS: ['0', '8761', '0.5', '1d'],
  DEPOSIT_EXPIRY_HOURS: ['0', '8761'],
  IDEMPOTENCY_KEEP_HOURS: ['23', '8761', '0'],
  REPORT_GRACE_HOURS: ['-1', '721', '1d'],
  UNMATCHED_CLAIMS_MAX: ['-1', '1000001', 'none'],
  UNMATCHED_CLAIMS_HOURS: ['0', '721', '1d'],
  RATE_LIMIT_PER_SECOND: ['0', '10000001', '-5'],
  RATE_LIMIT_BURST: ['0', 'x'],
  AUTH_FAILURES_PER_MINUTE: ['0', '1000001'],
  PUBLIC_RATE_LIMIT_PER_SECOND: ['0', '10000001', 'x'],
  PUBLIC_RATE_LIMIT_BURST: ['0', '10000001'],
  REQUESTS_IN_FLIGHT: ['0', '1000001', 'many'],
  MAX_CONNECTIONS: ['9', '1000001'],
  MAX_CONNECTIONS_PER_ADDRESS: ['0', '1000001'],
  BODY_LIMIT_BYTES: ['1023', '10485761', '64k'],
  STATEMENT_MAX_BYTES: ['9999', '10000000001', 'much'],
  STATEMENT_READ_SECONDS: ['0', '86401', '5m'],
  STATEMENT_READ_MEMORY_MB: ['31', '16385', '1GB'],
  HEADERS_TIMEOUT_MS: ['99', '600001', '30001'],
  REQUEST_TIMEOUT_MS: ['99', '600001', '9999'],
  KEEP_ALIVE_TIMEOUT_MS: ['999', '600001'],
  WRITE_TIMEOUT_MS: ['99', '600001', '30s'],
  DRAIN_MS: ['-1', '60001'],
  MAX_STREAMS: ['0', '1000001'],
  STREAMS_PER_KEY: ['0', 'all'],
  OFF_CURVE_WALLETS: ['maybe', 'Accept'],
  MATCH_WINDOW_DAYS: ['0', '91', '7d'],
  MATCH_GRACE_SECONDS: ['-1', '86401', 'soon'],
  PARTIAL_CREDIT: ['keep', 'Hold'],
  OVER_CREDIT: ['keep', 'refund'],
  LATE_CREDIT: ['hold'],
  DEPOSIT_GRACE_SECONDS: ['-1', '604801'],
  SHORT_DEPOSIT: ['complete'],
  LATE_DEPOSIT: ['keep'],
  REVERSAL_FREEZES: ['test', 'yes'],
  SETTLE_LEASE_MS: ['99', '600001'],
  SETTLE_BATCH: ['0', '1001'],
  UNKNOWN_PAYOUT_HOURS: ['0', '721', 'day'],
  AUDIT_DIGEST_MS: ['99', '86400001'],
  SMTP_URL: [
    'smtp.example.com',
    'http://u:hunter2@h',
    'smtp://u:hunter2@h:0x1',
    'smtp://u:%zz@mail.example',
    'smtp://',
  ],
  SMTP_HOST: ['has space', 'smtp://mail.example', 'a\nb'],
  SMTP_PORT: ['0', '65536', 'smtp'],
  SMTP_PASSWORD_FILE: ['/nowhere/at/all.txt'],
  SMTP_TLS: ['yes', 'TLS'],
  MAIL_FROM: [
    'ada',
    'Ada <ada>',
    'ada@example.com\nBcc: all@example.com',
    'A\u2028B <ada@example.com>',
    'a@b.co, c@d.co',
  ],
  WEBHOOK_ALLOWED_SUBNETS: [
    ...['private', '10.0.0.0', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0/8', '010.0.0.0/8', '10.0.0.0/8,'],
    ...[
      'fd00::/129',
      'fe80::1%eth0/64',
      '::ffff:10.0.0.0/104',
      '10.0.0.0/8;10.1.0.0/16',
      '127.0.0.0/8',
      '::1/128',
    ],
    ...['169.254.0.0/16', '10.0.0.0/08'],
  ],
  WEBHOOK_TIMEOUT_MS: ['99', '60001', '15s'],
  REQUEST_LOG_DAYS: ['0', '3651', '30d'],
  WEBHOOK_ENDPOINTS_MAX: ['0', '10001', 'ten'],
  WEBHOOK_KEEP_DAYS: ['0', '3651', '1d'],
  WEBHOOK_LEASE_MS: ['99', '600001', '15000'],
  SANDBOX_PACE_MS: ['0', '60001'],
  SANDBOX_FAULT_PERCENT: ['-1', '51', '5%'],
};

test('an invalid value is refused with the name of its setting, and the message does not repeat the value', () => {
  const unchecked = [
    'HOST',
    'DATA_DIR',
    'SECRETS_KEY_FILE',
    'CLI_SESSION_FILE',
    'OIDC_CLIENT_ID',
    'OIDC_CLIENT_SECRET',
    'OIDC_CLIENT_SECRET_FILE',
    'NETWORKS_FILE',
    'SIGNER_KEY_FILE',
    'SIGNER_PASSPHRASE',
    'SIGNER_PASSPHRASE_FILE',
    'SIGNER_NEW_PASSPHRASE',
    'SIGNER_NEW_PASSPHRASE_FILE',
    'BANKS_FILE',
    'STATEMENT_PROFILES_FILE',
    'RATES_FILE',
    'SCREENING_LIST',
    'BANK_CHARGES_FILE',
    'SMTP_USER',
    'SMTP_PASSWORD',
    'SANDBOX_SEED',
  ];
  assert.deepEqual([...Object.keys(BAD), ...unchecked].sort(), [...SETTING_NAMES].sort());
  for (const [name, values] of Object.entries(BAD)) {
    for (const value of values) {
      const refused = (error: Error) => {
        assert.ok(error instanceof ConfigError, `${name}=${value}: ${error}`);
        // If one setting limits another setting, the message names the limiting setting.
        const names = name === 'SELL_MIN' && value === '1000000000.01' ? 'SELL_MAX' : name;
        assert.match(error.message, new RegExp(`\\b${names}\\b`), `${name}=${value}`);
        if (value.length > 8) assert.ok(!error.message.includes(value), error.message);
        return true;
      };
      assert.throws(() => readConfig({ [name]: value }), refused, `${name}=${value}`);
    }
  }
});

test('one error lists all mistakes, and the default that is used for a wrong value causes no further mistake', () => {
  const settings = {
    PORT: 'x',
    OTC_PORT: '4000',
    TLS_CERT: '/nowhere.pem',
    TLS_KEY: '/nowhere.pem',
    SELL_MIN: 'free',
    SELL_MAX: '1',
  };
  const mistakes = [
    'PORT must be a whole number from 1 to 65535.',
    'TLS_CERT cannot be read: ENOENT.',
    'TLS_KEY cannot be read: ENOENT.',
    'SELL_MIN must be an amount in naira such as 1000 or 1000.50.',
  ];
  assert.throws(() => readConfig(settings), new ConfigError(mistakes.join('\n')));
});

test('threat 92: a password in DATABASE_URL never appears in an error message', () => {
  for (const url of BAD.DATABASE_URL!) {
    assert.throws(
      () => readConfig({ DATABASE_URL: url }),
      (error: Error) => {
        assert.ok(!error.message.includes('hunter2') && !String(error.stack).includes('hunter2'));
        return true;
      },
    );
  }
});

test('config.example.env lists exactly the existing settings, in order and with their defaults', () => {
  const names = [...EXAMPLE.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);
  assert.deepEqual(names, [...SETTING_NAMES]);
  assert.deepEqual(readConfig(parseEnv(EXAMPLE) as Record<string, string>), readConfig({}));
});

test('no setting is required, and an empty value counts as not set', () => {
  const defaults = readConfig({});
  const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, '  ']));
  assert.deepEqual(readConfig(empty), defaults);
  const expected: Partial<Config> = {
    host: '127.0.0.1',
    port: 4000,
    otcPort: 4001,
    databaseUrl: null,
    tls: null,
    trustProxy: false,
    secretKeyHeader: 'svc-sec-key',
    buyBounds: { minMinor: 1_500_000n, maxMinor: 100_000_000_000n },
    sellBounds: { minMinor: 100_000n, maxMinor: 100_000_000_000n },
    buyExpiryMs: 86_400_000,
    depositExpiryMs: 86_400_000,
    rateLimitPerSecond: 500,
    rateLimitBurst: 1_000,
    authFailuresPerMinute: 60,
  };
  for (const [name, value] of Object.entries(expected))
    assert.deepEqual(defaults[name as keyof Config], value, name);
  assert.ok(defaults.idempotencyKeepMs >= 24 * 3_600_000);
});

test('correct values are read and normalised', () => {
  const config = readConfig({
    PORT: ' 80 ',
    DATABASE_URL: 'postgresql://u:p@h:5432/d',
    SECRETS_KEY_FILE: '/etc/sliproad/secrets-key',
    PUBLIC_BASE_URL: 'https://api.example.com/pay//',
    SECRET_KEY_HEADER: 'Brand-Key',
    BUY_MAX: '15000',
    SELL_MIN: '0.01',
    SELL_MAX: '0.01',
    TRUST_PROXY: '10.0.0.0/8, ::1, loopback',
    HEADERS_TIMEOUT_MS: '500',
    REQUEST_TIMEOUT_MS: '500',
  });
  assert.equal(config.port, 80);
  assert.equal(config.databaseUrl, 'postgresql://u:p@h:5432/d');
  assert.equal(config.secretsKeyFile, '/etc/sliproad/secrets-key');
  assert.equal(config.publicBaseUrl, 'https://api.example.com/pay');
  assert.equal(config.secretKeyHeader, 'brand-key');
  assert.deepEqual(config.buyBounds, { minMinor: 1_500_000n, maxMinor: 1_500_000n });
  assert.deepEqual(config.sellBounds, { minMinor: 1n, maxMinor: 1n });
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', '::1', 'loopback']);
  assert.equal(readConfig({ TRUST_PROXY: '9' }).trustProxy, 9);
});

test('with an external database, SECRETS_KEY_FILE is required; with the embedded database, the key file has a default path', () => {
  const url = { DATABASE_URL: 'postgresql://u:p@h:5432/d' };
  assert.throws(() => readConfig(url), /SECRETS_KEY_FILE must name the key file when DATABASE_URL is set/);
  assert.equal(readConfig({ DATA_DIR: '/srv/sliproad' }).secretsKeyFile, '/srv/sliproad/secrets-key');
});
