// Settings of separate features: event streams, the request log, quotes, the sandbox, the audit log, reconciliation.
import type { Mode } from '../domain/values/mode.ts';
import type { SettingReader } from './setting-reader.ts';

export interface EventsConfig {
  readonly maxStreams: number;
  readonly streamsPerKey: number;
}

export function readEventsConfig(settings: SettingReader): EventsConfig {
  const count = (name: string, fallback: number) =>
    settings.integer(name, { fallback, min: 1, max: 1_000_000 });
  return { maxStreams: count('MAX_STREAMS', 2_000), streamsPerKey: count('STREAMS_PER_KEY', 100) };
}

export interface RequestsConfig {
  readonly requestLogKeepMs: number;
  /** Null: personal data is never deleted by its age. */
  readonly personalDataKeepMs: number | null;
  /** How long the law requires the records of live transactions. */
  readonly legalRetentionMs: number;
}

const DAY_MS = 86_400_000;
/** Seven years with two leap days: Nigeria Tax Administration Act 2025, section 109, for providers of virtual assets. */
const SEVEN_YEARS_DAYS = 2_557;

export function readRequestsConfig(settings: SettingReader): RequestsConfig {
  const requestLogKeepMs =
    settings.integer('REQUEST_LOG_DAYS', { fallback: 30, min: 1, max: 3_650 }) * DAY_MS;
  const days = settings.integer('PERSONAL_DATA_DAYS', { fallback: 0, min: 0, max: 36_500 });
  const legalRetentionMs =
    settings.integer('LEGAL_RETENTION_DAYS', { fallback: SEVEN_YEARS_DAYS, min: 1, max: 36_500 }) * DAY_MS;
  return { requestLogKeepMs, personalDataKeepMs: days === 0 ? null : days * DAY_MS, legalRetentionMs };
}

export interface QuotesConfig {
  readonly quoteValidMs: number;
  /** The limits on the open quotes of one business in one mode. */
  readonly quoteLimits: { readonly maxOpenMinor: bigint; readonly maxOpenQuotes: number };
}

const DAY_SECONDS = 86_400;
const MAX_OPEN_MINOR = 100_000_000_000n;

export function readQuotesConfig(settings: SettingReader): QuotesConfig {
  return {
    quoteValidMs:
      settings.integer('QUOTE_VALID_SECONDS', { fallback: 600, min: 10, max: DAY_SECONDS }) * 1_000,
    quoteLimits: {
      maxOpenMinor: settings.naira('QUOTE_EXPOSURE_MAX', MAX_OPEN_MINOR),
      maxOpenQuotes: settings.integer('QUOTE_OPEN_MAX', { fallback: 10_000, min: 1, max: 1_000_000 }),
    },
  };
}

export interface SandboxConfig {
  readonly sandbox: { readonly paceMs: number; readonly seed: string; readonly faultPercent: number };
}

export function readSandboxConfig(settings: SettingReader): SandboxConfig {
  return {
    sandbox: {
      paceMs: settings.integer('SANDBOX_PACE_MS', { fallback: 300, min: 1, max: 60_000 }),
      seed: settings.text('SANDBOX_SEED') ?? 'sandbox',
      faultPercent: settings.integer('SANDBOX_FAULT_PERCENT', { fallback: 0, min: 0, max: 50 }),
    },
  };
}

export interface AuditConfig {
  readonly auditDigestMs: number;
}

export function readAuditConfig(settings: SettingReader): AuditConfig {
  return {
    auditDigestMs: settings.integer('AUDIT_DIGEST_MS', { fallback: 300_000, min: 100, max: 86_400_000 }),
  };
}

/** The thresholds above which single transfers are reported, and the rule for when a vendor's account counts as silent. */
export interface ReconciliationConfig {
  readonly thresholds: { readonly individualMinor: bigint; readonly corporateMinor: bigint };
  readonly silentVendors: {
    readonly silentMs: number;
    readonly claims: number;
    readonly modes: readonly Mode[];
  };
}

const INDIVIDUAL_MINOR = 500_000_000n;
const CORPORATE_MINOR = 1_000_000_000n;
const HOUR_MS = 3_600_000;
const SILENT_VENDOR_MODES = { live: ['live'], both: ['live', 'test'], none: [] } as const;

export function readReconciliationConfig(settings: SettingReader): ReconciliationConfig {
  return {
    thresholds: {
      individualMinor: settings.naira('THRESHOLD_INDIVIDUAL', INDIVIDUAL_MINOR),
      corporateMinor: settings.naira('THRESHOLD_CORPORATE', CORPORATE_MINOR),
    },
    silentVendors: {
      silentMs: settings.integer('VENDOR_SILENT_HOURS', { fallback: 24, min: 1, max: 720 }) * HOUR_MS,
      claims: settings.integer('VENDOR_SILENT_CLAIMS', { fallback: 5, min: 2, max: 1_000 }),
      modes: SILENT_VENDOR_MODES[settings.oneOf('VENDOR_SILENT_MODES', ['live', 'both', 'none'], 'live')],
    },
  };
}
