// The simulated bank and networks of test mode: how fast they are, and how often they fail.
import type { SettingReader } from './setting-reader.ts';

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
