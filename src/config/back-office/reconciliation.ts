// Thresholds of single transfers that are reported, and when a vendor's account counts as silent.
import type { Mode } from '../../domain/values/mode.ts';
import type { SettingReader } from '../setting-reader.ts';

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
const MODES_OF = { live: ['live'], both: ['live', 'test'], none: [] } as const;

export function readReconciliationConfig(settings: SettingReader): ReconciliationConfig {
  return {
    thresholds: {
      individualMinor: settings.naira('THRESHOLD_INDIVIDUAL', INDIVIDUAL_MINOR),
      corporateMinor: settings.naira('THRESHOLD_CORPORATE', CORPORATE_MINOR),
    },
    silentVendors: {
      silentMs: settings.integer('VENDOR_SILENT_HOURS', { fallback: 24, min: 1, max: 720 }) * HOUR_MS,
      claims: settings.integer('VENDOR_SILENT_CLAIMS', { fallback: 5, min: 2, max: 1_000 }),
      modes: MODES_OF[settings.oneOf('VENDOR_SILENT_MODES', ['live', 'both', 'none'], 'live')],
    },
  };
}
