// How long personal data of customers is kept after what it is about is over.
import type { SettingReader } from './setting-reader.ts';

export interface PrivacyConfig {
  /** Null: it is kept. */
  readonly personalDataKeepMs: number | null;
}

const DAY_MS = 86_400_000;

export function readPrivacyConfig(settings: SettingReader): PrivacyConfig {
  const days = settings.integer('PERSONAL_DATA_DAYS', { fallback: 0, min: 0, max: 36_500 });
  return { personalDataKeepMs: days === 0 ? null : days * DAY_MS };
}
